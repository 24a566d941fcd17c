import unittest

from intervals import covered, gaps, merge


class MergeTest(unittest.TestCase):
    def test_keeps_separate_intervals(self):
        self.assertEqual(merge([(6, 9), (1, 3)]), [(1, 3), (6, 9)])

    def test_joins_overlapping_intervals(self):
        self.assertEqual(merge([(1, 4), (3, 8)]), [(1, 8)])

    def test_joins_touching_intervals(self):
        self.assertEqual(merge([(1, 3), (4, 6)]), [(1, 6)])

    def test_keeps_the_end_of_an_interval_that_holds_another(self):
        self.assertEqual(merge([(1, 10), (2, 3)]), [(1, 10)])

    def test_refuses_an_interval_that_ends_before_it_starts(self):
        with self.assertRaises(ValueError):
            merge([(3, 1)])


class CoverageTest(unittest.TestCase):
    def test_counts_each_number_once(self):
        self.assertEqual(covered([(1, 3), (2, 5), (9, 9)]), 6)

    def test_finds_the_gaps(self):
        self.assertEqual(gaps([(1, 2), (5, 6), (7, 8), (10, 12)]), [(3, 4), (9, 9)])


if __name__ == "__main__":
    unittest.main()

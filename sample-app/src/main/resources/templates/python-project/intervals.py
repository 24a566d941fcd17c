"""Closed intervals of whole numbers, as pairs (start, end)."""


def merge(intervals):
    """Joins the intervals that overlap or touch, and sorts the result.

    >>> merge([(5, 7), (1, 3), (2, 4)])
    [(1, 7)]
    """
    merged = []
    for start, end in sorted(intervals):
        if start > end:
            raise ValueError(f"interval ends before it starts: ({start}, {end})")
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def covered(intervals):
    """Counts the numbers that lie in at least one interval."""
    return sum(end - start + 1 for start, end in merge(intervals))


def gaps(intervals):
    """Returns the intervals between the first and the last number that nothing covers."""
    merged = merge(intervals)
    return [(left[1] + 1, right[0] - 1) for left, right in zip(merged, merged[1:])]

package io.sandbox4j.tools;

/**
 * Lines of a file that follow each other.
 *
 * @param first the first line, from 1
 * @param last the last line, included
 */
record LineRange(int first, int last) {

}

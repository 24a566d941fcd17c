package io.sandbox4j.tools;

/**
 * One replacement that a model asks for. Both texts are literal: neither is a pattern.
 *
 * @param oldText the text to replace
 * @param newText what comes in its place, empty to delete
 * @param replaceAll whether every occurrence is replaced; otherwise there must be one
 */
record TextEdit(String oldText, String newText, boolean replaceAll) {

}

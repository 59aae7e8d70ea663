package io.tidemark.platform.sizing.domain;

/**
 * A measured or an assumed number.
 *
 * @param name as in the file
 * @param source where it was measured, or what the assumption is
 */
public record Figure(String name, double value, boolean isAssumed, String source) {}

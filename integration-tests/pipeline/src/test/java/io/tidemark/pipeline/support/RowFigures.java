package io.tidemark.pipeline.support;

/** What rows of one series and window add up to. */
public record RowFigures(double sum, long count, double min, double max) {

  public static RowFigures of(double value) {
    return new RowFigures(value, 1, value, value);
  }

  public RowFigures plus(RowFigures other) {
    return new RowFigures(
        sum + other.sum, count + other.count, Math.min(min, other.min), Math.max(max, other.max));
  }
}

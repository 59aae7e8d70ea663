package io.tidemark.platform.shared;

/**
 * Which part of a list is wanted.
 *
 * @param limit maximum number of items, 1 to {@link #MAX}
 * @param after the place that the page before ended at, in the words of whoever made the list;
 *     empty for the first page
 */
public record PageRequest(int limit, String after) {

  public static final int MAX = 200;
  public static final int USUAL = 50;

  public PageRequest {
    if (limit < 1 || limit > MAX) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "limit must be 1 to " + MAX + "; leave it out for 50.");
    }
  }
}

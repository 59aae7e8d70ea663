package io.tidemark.platform.shared;

/**
 * The version of an object that a change is meant for.
 *
 * @param number the version; see {@link #ANY} and {@link #NONE}
 */
public record ExpectedVersion(long number) {

  /** Whatever the version is. */
  public static final ExpectedVersion ANY = new ExpectedVersion(-1);

  /** A version that no object has. */
  public static final ExpectedVersion NONE = new ExpectedVersion(-2);

  /**
   * Refuses a change that is meant for another version.
   *
   * @throws ProblemException {@code precondition_failed}
   */
  public void check(long actual) {
    if (number != actual && !equals(ANY)) {
      throw ProblemException.of(
          ErrorCode.PRECONDITION_FAILED,
          "The object has changed since the version that If-Match names. Read it again, decide"
              + " again, and send its new ETag.");
    }
  }
}

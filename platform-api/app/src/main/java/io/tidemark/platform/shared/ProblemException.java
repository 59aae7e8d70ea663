package io.tidemark.platform.shared;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be served, as the caller sees it: a code and one or more sentences that say
 * what was wrong and what to do next. Details never carry secrets.
 */
public class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final List<String> details;
  private final @Nullable Duration retryAfter;

  private ProblemException(
      ErrorCode code,
      List<String> details,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(code.wireName() + ": " + String.join("; ", details), cause);
    this.code = code;
    this.details = List.copyOf(details);
    this.retryAfter = retryAfter;
  }

  /** A problem with one detail. */
  public static ProblemException of(ErrorCode code, String detail) {
    return new ProblemException(code, List.of(detail), null, null);
  }

  /** A problem with all faults found; at least one. */
  public static ProblemException of(ErrorCode code, List<String> details) {
    return new ProblemException(code, details, null, null);
  }

  /**
   * Refuses what has faults.
   *
   * @throws ProblemException {@code invalid_request} with all of them; nothing when there is none
   */
  public static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /** A problem of Tidemark or what it stands on; the cause is logged, the detail is shown. */
  public static ProblemException causedBy(
      @Nullable Throwable cause, ErrorCode code, String detail) {
    return new ProblemException(code, List.of(detail), null, cause);
  }

  /** A passing problem: the caller should try again after the given time. */
  public static ProblemException passing(
      @Nullable Throwable cause, ErrorCode code, String detail, Duration retryAfter) {
    return new ProblemException(code, List.of(detail), retryAfter, cause);
  }

  public ErrorCode code() {
    return code;
  }

  public List<String> details() {
    return details;
  }

  /** How long to wait before the same request may succeed; empty when waiting does not help. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}

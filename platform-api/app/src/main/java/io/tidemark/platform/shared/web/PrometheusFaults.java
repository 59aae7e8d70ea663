package io.tidemark.platform.shared.web;

import io.tidemark.contracts.prometheusapi.model.PrometheusFault;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;

/** Problems in the shape of Prometheus' HTTP API. */
final class PrometheusFaults {

  private PrometheusFaults() {}

  /** The status that Prometheus' clients expect. */
  static int status(ErrorCode code) {
    return switch (code) {
      case NOT_SUPPORTED_YET, RESULT_TOO_LARGE, QUERY_TOO_EXPENSIVE -> 422;
      case QUERY_TIMED_OUT -> 503;
      default -> code.status();
    };
  }

  /** The body; faults of Tidemark carry the id that stands in the log. */
  static PrometheusFault body(String id, ProblemException problem) {
    String detail = String.join(" ", problem.details());
    return new PrometheusFault(
        PrometheusFault.StatusEnum.ERROR,
        type(problem.code()),
        problem.code().status() < 500 ? detail : detail + " (" + id + ")");
  }

  private static String type(ErrorCode code) {
    return switch (code) {
      case MALFORMED_REQUEST,
          INVALID_QUERY,
          INVALID_REQUEST,
          METHOD_NOT_ALLOWED,
          NOT_ACCEPTABLE,
          CONFLICT,
          PRECONDITION_FAILED,
          BODY_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          IDEMPOTENCY_KEY_REUSED,
          PRECONDITION_REQUIRED ->
          "bad_data";
      case NOT_SUPPORTED_YET, RESULT_TOO_LARGE, QUERY_TOO_EXPENSIVE -> "execution";
      case UNAUTHENTICATED -> "unauthorized";
      case FORBIDDEN -> "forbidden";
      case NOT_FOUND -> "not_found";
      case RATE_LIMITED -> "too_many_requests";
      case STORE_UNAVAILABLE, CONTROL_PLANE_UNAVAILABLE -> "unavailable";
      case QUERY_TIMED_OUT -> "timeout";
      case INTERNAL, STORE_FAILED -> "internal";
    };
  }
}

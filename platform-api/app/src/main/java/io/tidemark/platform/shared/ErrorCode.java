package io.tidemark.platform.shared;

import java.util.Locale;

/**
 * What can go wrong as far as a caller is concerned. Equal to {@code
 * contracts/vocabulary/errors.yaml}; a test compares them. Codes are never renamed.
 */
public enum ErrorCode {
  MALFORMED_REQUEST(400),
  INVALID_QUERY(400),
  INVALID_REQUEST(400),
  NOT_SUPPORTED_YET(400),
  RESULT_TOO_LARGE(400),
  QUERY_TOO_EXPENSIVE(400),
  UNAUTHENTICATED(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  NOT_ACCEPTABLE(406),
  CONFLICT(409),
  PRECONDITION_FAILED(412),
  BODY_TOO_LARGE(413),
  UNSUPPORTED_MEDIA_TYPE(415),
  IDEMPOTENCY_KEY_REUSED(422),
  PRECONDITION_REQUIRED(428),
  RATE_LIMITED(429),
  INTERNAL(500),
  STORE_FAILED(502),
  STORE_UNAVAILABLE(503),
  CONTROL_PLANE_UNAVAILABLE(503),
  QUERY_TIMED_OUT(504);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  /** The HTTP status that goes with the code. */
  public int status() {
    return status;
  }

  /** The code as it stands on the wire, in lower_snake_case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

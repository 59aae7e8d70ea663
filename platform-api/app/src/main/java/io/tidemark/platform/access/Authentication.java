package io.tidemark.platform.access;

import io.tidemark.platform.shared.Caller;
import org.jspecify.annotations.Nullable;

/** Answers who a request is from. */
public interface Authentication {

  /**
   * The caller that an Authorization header names.
   *
   * @param authorization the header value, {@code Basic} with key id and secret or {@code Bearer}
   *     with the whole key; null when the header is absent
   * @throws io.tidemark.platform.shared.ProblemException {@code unauthenticated} when the header is
   *     absent, malformed, unknown, wrong or revoked (which of them is not told); {@code
   *     control_plane_unavailable} when it cannot be checked now
   */
  Caller authenticate(@Nullable String authorization);
}

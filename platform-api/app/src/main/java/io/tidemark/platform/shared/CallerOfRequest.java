package io.tidemark.platform.shared;

/** Who the current HTTP request of an API is from. */
@FunctionalInterface
public interface CallerOfRequest {

  /** The authenticated caller; a controller is never reached without one. */
  Caller current();
}

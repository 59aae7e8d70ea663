package io.tidemark.platform.access;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Who the session of the current request belongs to. Implemented by whoever keeps sessions. */
public interface SignedInPerson {

  /**
   * A session as its person may see it.
   *
   * @param formToken what changes have to bring along, so that no other site can make them
   * @param idleTime after which it ends when it is not used
   * @param end when it ends in any case
   */
  record Session(String person, String formToken, Duration idleTime, Instant end) {}

  /** Identifier of the person; empty when the request has no session that is in force. */
  Optional<String> id();

  /** The session; empty when the request has none that is in force. */
  Optional<Session> session();
}

package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.signin.session.PersonSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpSession;

/** A session that is used all the time ends all the same. */
class PersonSessionTest {

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private final PersonSession sessions =
      new PersonSession(
          null,
          Duration.ofHours(1),
          Duration.ofHours(12),
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }
          });

  @Test
  void itEndsAfterTheAbsoluteTime() {
    MockHttpServletRequest request = new MockHttpServletRequest();
    MockHttpSession session = new MockHttpSession();
    request.setSession(session);
    assertThat(sessions.of(request)).isEmpty();
    sessions.begin(session, "per-a", "token");
    now = now.plus(Duration.ofHours(12)).minusMillis(1);
    assertThat(sessions.of(request)).contains("per-a");
    now = now.plusMillis(1);
    assertThat(sessions.of(request)).isEmpty();
    assertThat(session.isInvalid()).isTrue();
  }
}

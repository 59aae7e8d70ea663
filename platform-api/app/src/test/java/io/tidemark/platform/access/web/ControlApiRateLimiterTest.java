package io.tidemark.platform.access.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

class ControlApiRateLimiterTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;
  private SharedCounts.Listener others;
  private String told = "";
  private final ControlApiRateLimiter limit =
      new ControlApiRateLimiter(
          2,
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public java.time.ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
              return this;
            }
          },
          elsewhere -> {
            others = elsewhere;
            return (holder, amount) -> told += holder + " " + amount + ";";
          });

  private MockHttpServletResponse count(String organization) {
    MockHttpServletResponse response = new MockHttpServletResponse();
    limit.count(organization, response);
    return response;
  }

  @Test
  void whatIsOverTheLimitIsRefusedUntilTheWindowEnds() {
    assertThat(count("org-a").getHeader("RateLimit")).isEqualTo("\"control\";r=1;t=60");
    now = START.plusSeconds(20);
    assertThat(count("org-a").getHeader("RateLimit")).isEqualTo("\"control\";r=0;t=40");
    MockHttpServletResponse refused = new MockHttpServletResponse();
    ProblemException problem =
        catchThrowableOfType(ProblemException.class, () -> limit.count("org-a", refused));
    assertThat(problem.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(problem.retryAfter()).contains(Duration.ofSeconds(40));
    assertThat(refused.getHeader("RateLimit-Policy")).isEqualTo("\"control\";q=2;w=60");
    now = START.plusSeconds(60);
    assertThat(count("org-a").getHeader("RateLimit")).isEqualTo("\"control\";r=1;t=60");
  }

  @Test
  void whatOtherProcessesCountIsAddedAndRefusalsAreNotTold() {
    others.usedElsewhere("org-a", 1);
    assertThat(count("org-a").getHeader("RateLimit")).startsWith("\"control\";r=0;");
    assertThat(catchThrowableOfType(ProblemException.class, () -> count("org-a"))).isNotNull();
    assertThat(told).isEqualTo("org-a 1;");
  }

  @Test
  void organisationsDoNotTakeFromOneAnother() {
    count("org-a");
    count("org-a");
    assertThat(count("org-b").getHeader("RateLimit")).startsWith("\"control\";r=1;");
  }
}

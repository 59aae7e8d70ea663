package io.tidemark.platform.access.web;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * Counts requests of the control API per caller (the organisation of a key, or a person), in
 * windows of a minute. What other processes count is added to it. Says in headers what is left
 * (draft-ietf-httpapi-ratelimit-headers).
 */
final class ControlApiRateLimiter {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private record Window(Instant end, int used) {}

  private final int limit;
  private final Clock clock;
  private final SharedCounts.Count shared;
  private final Cache<String, Window> windows = Caffeine.newBuilder().maximumSize(100_000).build();

  /**
   * A limit.
   *
   * @param limit requests per minute
   * @param sharing where uses are told to other processes, and those of others heard
   */
  ControlApiRateLimiter(
      int limit, Clock clock, Function<SharedCounts.Listener, SharedCounts.Count> sharing) {
    this.limit = limit;
    this.clock = clock;
    this.shared = sharing.apply(this::add);
  }

  /**
   * Counts a request and sets the headers of its answer.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void count(String caller, HttpServletResponse response) {
    Instant now = clock.instant();
    Window window = add(caller, 1);
    if (window.used() <= limit) {
      shared.used(caller, 1);
    }
    long seconds = Math.max(1, Duration.between(now, window.end()).plusMillis(999).toSeconds());
    response.setHeader("RateLimit-Policy", "\"control\";q=" + limit + ";w=" + WINDOW.toSeconds());
    response.setHeader(
        "RateLimit", "\"control\";r=" + Math.max(0, limit - window.used()) + ";t=" + seconds);
    if (window.used() > limit) {
      throw ProblemException.passing(
          null,
          ErrorCode.RATE_LIMITED,
          "The limit control, " + limit + " requests in a minute, is used up.",
          Duration.ofSeconds(seconds));
    }
  }

  private Window add(String caller, long amount) {
    Instant now = clock.instant();
    return windows
        .asMap()
        .compute(
            caller,
            (key, current) ->
                current == null || !now.isBefore(current.end())
                    ? new Window(now.plus(WINDOW), most(0, amount))
                    : new Window(current.end(), most(current.used(), amount)));
  }

  private int most(int used, long more) {
    return (int) Math.min(used + more, limit + 1L);
  }
}

package io.tidemark.platform.query.web;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Counts requests of the Metrics API, the Billing API and Prometheus' API by calling address and by
 * key, and exports by resource and key, in windows of fixed length. What other processes count is
 * added to it. Every answer says where the one stands of which less is left: clients read one set
 * of headers.
 */
public final class MetricsApiRateLimiter implements HandlerInterceptor, WebMvcConfigurer {

  /** Callers are known by then. */
  private static final int AFTER_AUTHENTICATION = 100;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private record Window(Instant end, int used) {}

  private final int perMinute;
  private final int exportsPerHour;
  private final CurrentCaller callers;
  private final Clock clock;
  private final SharedCounts.Count sharedOfMinutes;
  private final SharedCounts.Count sharedOfHours;
  private final Cache<String, Window> windows = Caffeine.newBuilder().maximumSize(100_000).build();

  /** Opens a count that all processes share. */
  @FunctionalInterface
  public interface Sharing {
    SharedCounts.Count open(String limit, SharedCounts.Listener elsewhere);
  }

  /** Limits. */
  public MetricsApiRateLimiter(
      int perMinute, int exportsPerHour, CurrentCaller callers, Clock clock, Sharing sharing) {
    this.perMinute = perMinute;
    this.exportsPerHour = exportsPerHour;
    this.callers = callers;
    this.clock = clock;
    this.sharedOfMinutes =
        sharing.open("queries", (who, amount) -> add(who, MINUTE, perMinute, amount));
    this.sharedOfHours =
        sharing.open("exports", (who, amount) -> add(who, HOUR, exportsPerHour, amount));
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry
        .addInterceptor(this)
        .addPathPatterns("/v2/**", "/prometheus/**", "/billing/v1/**")
        .order(AFTER_AUTHENTICATION);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String address = request.getRemoteAddr();
    Window ofAddress = count("address " + address, MINUTE, perMinute);
    Window ofKey = count("key " + who(callers.current()), MINUTE, perMinute);
    tell(response, ofAddress.used() > ofKey.used() ? ofAddress : ofKey, perMinute);
    refuse(ofAddress, perMinute, "from the address " + address + " within a minute");
    refuse(ofKey, perMinute, "with this key within a minute");
    return true;
  }

  /**
   * Counts a scrape of resources.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void countExport(Caller caller, Map<String, Set<String>> resources) {
    resources.forEach(
        (type, ids) ->
            ids.forEach(
                id ->
                    refuse(
                        count(
                            "export " + who(caller) + " " + type + " " + id, HOUR, exportsPerHour),
                        exportsPerHour,
                        "for the following resources: " + type + ".id:" + id)));
  }

  /** People have no key; those of an organisation count together. */
  private static String who(Caller caller) {
    return caller.keyId() == null ? caller.organization().value() : caller.keyId();
  }

  private Window count(String who, Duration length, int limit) {
    Window window = add(who, length, limit, 1);
    if (window.used() <= limit) {
      (length.equals(HOUR) ? sharedOfHours : sharedOfMinutes).used(who, 1);
    }
    return window;
  }

  private Window add(String who, Duration length, int limit, long amount) {
    Instant now = clock.instant();
    return windows
        .asMap()
        .compute(
            who,
            (key, current) ->
                current == null || !now.isBefore(current.end())
                    ? new Window(now.plus(length), (int) Math.min(amount, limit + 1L))
                    : new Window(
                        current.end(), (int) Math.min(current.used() + amount, limit + 1L)));
  }

  private void tell(HttpServletResponse response, Window window, int limit) {
    response.setHeader("rateLimit-limit", Integer.toString(limit));
    response.setHeader("rateLimit-remaining", Integer.toString(Math.max(0, limit - window.used())));
    response.setHeader("rateLimit-reset", Long.toString(seconds(window)));
  }

  private void refuse(Window window, int limit, String scope) {
    if (window.used() > limit) {
      throw ProblemException.passing(
          null,
          ErrorCode.RATE_LIMITED,
          "Too many requests have been made " + scope + "; the limit is " + limit + ".",
          Duration.ofSeconds(seconds(window)));
    }
  }

  private long seconds(Window window) {
    return Math.max(1, Duration.between(clock.instant(), window.end()).plusMillis(999).toSeconds());
  }
}

package io.tidemark.platform.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.retention.RetentionPolicy.OfMetrics;
import io.tidemark.platform.shared.EnvironmentId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RetentionPolicyTest {

  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private static RetentionDays minutes(Integer days) {
    return new RetentionDays(null, days, null, null);
  }

  private static OfMetrics exception(String pattern, Integer days) {
    return new OfMetrics(pattern, minutes(days));
  }

  private static RetentionPolicy policy(Integer days, OfMetrics... exceptions) {
    return new RetentionPolicy(minutes(days), List.of(exceptions));
  }

  /** Whether one of the rules takes the row: what the filter of the store does. */
  private static boolean isExpired(List<Expired> rules, String metric, Instant window) {
    return rules.stream()
        .anyMatch(
            rule ->
                window.isBefore(rule.before())
                    && (rule.pattern() == null || rule.pattern().fits(metric))
                    && rule.others().stream().noneMatch(other -> other.fits(metric)));
  }

  @Test
  void theLongestPatternHoldsAndANameBeforeEveryPrefix() {
    RetentionPolicy policy =
        policy(
            30,
            exception("cpu*", 5),
            exception("*", 20),
            exception("cpu.load", 90),
            exception("cpu.l*", 7));
    assertThat(policy.days("cpu.load", Level.MINUTES)).isEqualTo(90);
    assertThat(policy.days("cpu.loads", Level.MINUTES)).isEqualTo(7);
    assertThat(policy.days("cpu", Level.MINUTES)).isEqualTo(5);
    assertThat(policy.days("disk", Level.MINUTES)).isEqualTo(20);
  }

  @Test
  void aLevelOfWhichAnExceptionSaysNothingIsTheEnvironments() {
    RetentionPolicy policy =
        new RetentionPolicy(
            new RetentionDays(1, 2, 3, null),
            List.of(new OfMetrics("cpu", new RetentionDays(null, 9, null, 5))));
    assertThat(policy.days("cpu", Level.RAW)).isEqualTo(1);
    assertThat(policy.days("cpu", Level.MINUTES)).isEqualTo(9);
    assertThat(policy.days("cpu", Level.HOURS)).isEqualTo(3);
    assertThat(policy.days("cpu", Level.DAYS)).isEqualTo(5);
    assertThat(policy.days("disk", Level.DAYS)).isNull();
  }

  @Test
  void theRulesExpireExactlyWhatThePolicyDoesNotKeep() {
    Random random = new Random(11);
    String[] names = {"a", "ab", "abc", "abcd", "b", "a%", "a_"};
    String[] patterns = {"a", "a*", "ab*", "abc", "*", "b*", "a%*", "abcd*"};
    for (int round = 0; round < 2_000; round++) {
      List<OfMetrics> exceptions =
          java.util.Arrays.stream(patterns)
              .filter(pattern -> random.nextInt(3) == 0)
              .map(
                  pattern ->
                      exception(pattern, random.nextInt(4) == 0 ? null : random.nextInt(1, 9)))
              .collect(java.util.stream.Collectors.toCollection(java.util.ArrayList::new));
      Collections.shuffle(exceptions, random);
      Integer days = random.nextBoolean() ? null : random.nextInt(1, 9);
      RetentionPolicy policy = new RetentionPolicy(minutes(days), exceptions);
      List<Expired> rules = policy.expired(Level.MINUTES, NOW);
      for (String name : names) {
        Instant window = NOW.minus(Duration.ofHours(random.nextInt(240)));
        Integer kept = policy.days(name, Level.MINUTES);
        assertThat(isExpired(rules, name, window))
            .as("%s of %s at %s", name, policy, window)
            .isEqualTo(kept != null && window.isBefore(NOW.minus(Duration.ofDays(kept))));
      }
    }
  }

  @Test
  void everyFaultIsTold() {
    assertThat(
            new RetentionPolicy(
                    new RetentionDays(0, 36_501, 1, null),
                    List.of(
                        exception("", 1),
                        exception("a*b", 1),
                        exception("**", 1),
                        exception("x", 0),
                        exception("x", 1)))
                .faults())
        .hasSize(7);
    assertThat(policy(1, exception("x", 1), exception("x*", 36_500)).faults()).isEmpty();
  }

  @Test
  void aPolicyIsKeptAsItIs() {
    JsonMapper json = JsonMapper.builder().build();
    RetentionPolicy policy = policy(3, exception("x*", null), exception("y", 4));
    assertThat(json.readValue(json.writeValueAsString(policy), RetentionPolicy.class))
        .isEqualTo(policy);
  }

  @Test
  void prefixesHoldNoWildcardOfTheStore() {
    RetentionPolicy policy = policy(null, exception("a_%\\*", 1));
    assertThat(
            RowFilters.expired(new EnvironmentId("prod"), policy.expired(Level.MINUTES, NOW))
                .toString())
        .contains("pattern=a\\_\\%\\\\%");
  }
}

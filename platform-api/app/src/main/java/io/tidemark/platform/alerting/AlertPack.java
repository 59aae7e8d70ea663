package io.tidemark.platform.alerting;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Alert rules for a product that come along, as one of the files of {@code contracts/alert-packs}.
 *
 * @param version grows with every change of the file
 */
public record AlertPack(
    @Nullable String name, long version, String title, String description, List<PackRule> rules) {

  public AlertPack {
    rules = List.copyOf(rules);
  }

  /**
   * A rule of the pack.
   *
   * @param key names it for good, within the pack
   * @param runbook page and entry below docs/runbooks
   */
  public record PackRule(
      @Nullable String key, @Nullable String runbook, AlertRuleDefinition definition) {}

  /**
   * That an environment has the pack.
   *
   * @param version of the pack when it was enabled
   */
  public record Enabled(long version, Instant at, String by) {}

  /**
   * A pack as an environment has it.
   *
   * @param enabled null when it does not
   * @param made rules of the environment that came of it
   */
  public record OfEnvironment(AlertPack pack, @Nullable Enabled enabled, List<MadeRule> made) {}

  /**
   * A rule that came of a pack.
   *
   * @param isChanged somebody changed it since; it stays as it is
   */
  public record MadeRule(String key, String ruleId, boolean isChanged) {}
}

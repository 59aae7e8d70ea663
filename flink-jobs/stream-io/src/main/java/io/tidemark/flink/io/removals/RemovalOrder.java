package io.tidemark.flink.io.removals;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.control.v1.Removal;
import io.tidemark.contracts.control.v1.RemovalRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Rows of an environment that are to be removed.
 *
 * @param rules a row is removed when one fits it; none removes nothing
 * @param settledFromMs only a look begun at or after this time says that nothing is left
 * @param version a higher one replaces a lower one
 */
public record RemovalOrder(
    String organizationId,
    String environmentId,
    String removalId,
    List<Rule> rules,
    long settledFromMs,
    long version) {

  private static final String RAW = "raw";
  private static final Set<String> LEVELS = Set.of("", RAW, "rollup_1m", "rollup_1h", "rollup_1d");
  private static final String SPLIT = "_hc";
  private static final String RAW_TABLE = "raw_points";

  /**
   * @param level of the contract; empty for all
   * @param pattern name of a metric, or the beginning of names and '*'; empty for all
   * @param others metrics that are left alone
   * @param seriesId empty for all
   * @param beforeMs points and windows that begin before; 0 without a limit
   */
  public record Rule(
      String level, String pattern, List<String> others, String seriesId, long beforeMs) {

    /** Whether it is about rows of the table, named without its namespace. */
    public boolean isAbout(String table) {
      String levelOfTable = table.equals(RAW_TABLE) ? RAW : table.replace(SPLIT, "");
      return level.isEmpty() || level.equals(levelOfTable);
    }

    /** Whether it fits rows of the series, as far as they are old enough. */
    public boolean fits(String metric, String series) {
      return (pattern.isEmpty() || isOf(pattern, metric))
          && others.stream().noneMatch(other -> isOf(other, metric))
          && (seriesId.isEmpty() || seriesId.equals(series));
    }

    private static boolean isOf(String pattern, String metric) {
      return pattern.endsWith("*")
          ? metric.startsWith(pattern.substring(0, pattern.length() - 1))
          : metric.equals(pattern);
    }
  }

  public RemovalOrder {
    rules = List.copyOf(rules);
  }

  /** Key of its record. */
  public String key() {
    return organizationId + "/" + environmentId + "/" + removalId;
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException saying why it is not one of the contract
   */
  static RemovalOrder of(String key, byte[] value) {
    Removal removal;
    try {
      removal = Removal.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("The record " + key + " is none of the contract", e);
    }
    List<Rule> rules = new ArrayList<>();
    for (RemovalRule rule : removal.getRulesList()) {
      boolean isWhole =
          LEVELS.contains(rule.getLevel())
              && rule.getBeforeUnixMs() >= 0
              && rule.getOtherPatternsList().stream().noneMatch(String::isEmpty);
      if (!isWhole) {
        throw new IllegalArgumentException("The record " + key + " has a rule that is not known");
      }
      rules.add(
          new Rule(
              rule.getLevel(),
              rule.getPattern(),
              List.copyOf(rule.getOtherPatternsList()),
              rule.getSeriesId(),
              rule.getBeforeUnixMs()));
    }
    RemovalOrder order =
        new RemovalOrder(
            removal.getOrganizationId(),
            removal.getEnvironmentId(),
            removal.getRemovalId(),
            rules,
            removal.getSettledFromUnixMs(),
            removal.getVersion());
    if (order.organizationId().isEmpty()
        || order.environmentId().isEmpty()
        || !order.key().equals(key)) {
      throw new IllegalArgumentException("The record " + key + " contradicts its key");
    }
    return order;
  }
}

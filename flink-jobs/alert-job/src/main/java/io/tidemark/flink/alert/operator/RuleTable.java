package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.match.RuleIndex;
import io.tidemark.flink.io.alerts.AlertRuleRecord;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * Alert rules as broadcast state: the last good record of every key, and the one before it, which
 * decides minutes before the newer one is effective. Released with the rule's tombstone.
 */
final class RuleTable {

  static final MapStateDescriptor<String, byte[]> LATEST =
      new MapStateDescriptor<>(
          "alert-rules", Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  static final MapStateDescriptor<String, byte[]> PREVIOUS =
      new MapStateDescriptor<>(
          "alert-rules-before",
          Types.STRING,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final Map<String, RuleVersions> rules = new HashMap<>();
  private final RuleIndex index = new RuleIndex();
  private final Predicate<AlertRule> isIndexed;
  private boolean isLoaded;

  /**
   * @param isIndexed whether rows are looked up for a rule
   */
  RuleTable(Predicate<AlertRule> isIndexed) {
    this.isIndexed = isIndexed;
  }

  /**
   * What a record did.
   *
   * @param changed the rule, when another version of it is in force now
   * @param fault why the record is not in force; null when it is, or is known already
   */
  record Acceptance(@Nullable RuleVersions changed, @Nullable String fault) {}

  private static final Acceptance NOTHING = new Acceptance(null, null);

  /** Reads the state once after a restart. */
  void load(
      ReadOnlyBroadcastState<String, byte[]> latest,
      ReadOnlyBroadcastState<String, byte[]> previous)
      throws Exception {
    if (isLoaded) {
      return;
    }
    isLoaded = true;
    for (Map.Entry<String, byte[]> entry : latest.immutableEntries()) {
      AlertRule rule = read(entry.getKey(), entry.getValue());
      if (rule != null) {
        byte[] before = previous.get(entry.getKey());
        put(
            entry.getKey(),
            new RuleVersions(rule, before == null ? null : read(entry.getKey(), before)));
      }
    }
  }

  /** Puts a record in force. */
  Acceptance accept(
      ControlRecord record,
      BroadcastState<String, byte[]> latest,
      BroadcastState<String, byte[]> previous)
      throws Exception {
    AlertRuleRecord read = AlertRuleRecord.of(record);
    if (read instanceof AlertRuleRecord.Unreadable unreadable) {
      return new Acceptance(null, unreadable.why());
    }
    if (read instanceof AlertRuleRecord.Gone) {
      latest.remove(record.key());
      previous.remove(record.key());
      rules.remove(record.key());
      index.remove(record.key());
      return NOTHING;
    }
    AlertRule rule = ((AlertRuleRecord.Active) read).rule();
    RuleVersions known = rules.get(record.key());
    if (known != null && known.latest().version() >= rule.version()) {
      return NOTHING;
    }
    RuleVersions versions = known == null ? new RuleVersions(rule, null) : known.followedBy(rule);
    try {
      put(record.key(), versions);
    } catch (IllegalArgumentException e) {
      return new Acceptance(null, e.getMessage());
    }
    if (versions.previous() == null) {
      previous.remove(record.key());
    } else if (known != null && versions.previous().equals(known.latest())) {
      previous.put(record.key(), latest.get(record.key()));
    }
    latest.put(record.key(), record.value());
    return new Acceptance(versions, null);
  }

  private void put(String key, RuleVersions versions) {
    if (isIndexed.test(versions.latest())) {
      index.put(key, versions);
    } else {
      index.remove(key);
    }
    rules.put(key, versions);
  }

  private static @Nullable AlertRule read(String key, byte[] value) {
    return AlertRuleRecord.of(new ControlRecord(key, value))
            instanceof AlertRuleRecord.Active active
        ? active.rule()
        : null;
  }

  /** All rules by key. */
  Map<String, RuleVersions> all() {
    return Collections.unmodifiableMap(rules);
  }

  @Nullable RuleVersions rule(String key) {
    return rules.get(key);
  }

  RuleIndex index() {
    return index;
  }
}

package io.tidemark.platform.deletion;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says what a removal removed where.
 *
 * @param text JSON; its bytes never change
 * @param sha256 of its bytes in UTF-8, hexadecimal
 */
record DeletionCertificate(String text, String sha256) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  static DeletionCertificate of(DataDeletion removal, Instant at) {
    Map<String, Object> whole = new LinkedHashMap<>();
    whole.put("deletion_id", removal.id());
    whole.put("organization_id", removal.organization().value());
    whole.put("environment_id", removal.environment().value());
    whole.put("kind", removal.kind().wireName());
    if (removal.subject().metric() != null) {
      whole.put("metric", removal.subject().metric());
    }
    if (removal.subject().seriesId() != null) {
      whole.put("series_id", removal.subject().seriesId());
    }
    if (removal.subject().before() != null) {
      whole.put("before", removal.subject().before().toString());
    }
    whole.put("asked_at", removal.createdAt().toString());
    whole.put("certified_at", at.toString());
    whole.put("druid", removal.druid().stream().map(DeletionCertificate::of).toList());
    whole.put("lake", removal.lake().stream().map(DeletionCertificate::of).toList());
    whole.put(
        "control_plane",
        removal.controlPlane().stream()
            .map(rows -> ordered("action", rows.action(), "removed", new TreeMap<>(rows.removed())))
            .toList());
    whole.put("kafka", topics(removal.settledFrom(), DeletionTargets.TOPICS.keySet()));
    if (!removal.regions().isEmpty()) {
      whole.put("regions", removal.regions().stream().map(DeletionCertificate::of).toList());
    }
    String text = JSON.writeValueAsString(whole);
    return new DeletionCertificate(text, sha256(text));
  }

  private static Map<String, Object> of(DruidDeletionStep step) {
    return ordered(
        "datasource",
        step.datasource(),
        "rows_removed",
        step.panesRemoved(),
        "points_removed",
        step.pointsRemoved(),
        "found_empty_at",
        Objects.requireNonNull(step.doneAt()).toString());
  }

  private static Map<String, Object> of(LakeDeletionStep step) {
    Map<String, Object> shown =
        ordered(
            "table",
            step.table(),
            "rows_removed",
            step.rowsRemoved(),
            "snapshots",
            new TreeMap<>(step.rowsBySnapshot()),
            "found_empty_at",
            Objects.requireNonNull(step.doneAt()).toString());
    if (step.heldUntil() != null) {
      shown.put("earlier_snapshots_held_until", step.heldUntil().toString());
    }
    return shown;
  }

  /** What has expired is certified without a region that has not ended. */
  private static Map<String, Object> of(RegionSteps region) {
    if (!region.isDone()) {
      return ordered("region", region.region(), "state", "running");
    }
    return ordered(
        "region",
        region.region(),
        "state",
        "done",
        "druid",
        region.druid().stream().map(DeletionCertificate::of).toList(),
        "lake",
        region.lake().stream().map(DeletionCertificate::of).toList(),
        "kafka",
        topics(Objects.requireNonNull(region.settledFrom()), DeletionTargets.ROW_TOPICS));
  }

  /** Records cannot be taken out of a topic; they are forgotten by its retention. */
  private static List<Map<String, Object>> topics(Instant settledFrom, Collection<String> topics) {
    return topics.stream()
        .map(
            topic ->
                ordered(
                    "topic",
                    topic,
                    "forgets_at_the_latest",
                    settledFrom
                        .plus(Objects.requireNonNull(DeletionTargets.TOPICS.get(topic)))
                        .toString()))
        .toList();
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> ordered = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      ordered.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return ordered;
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}

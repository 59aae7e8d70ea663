package io.tidemark.platform.catalog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What sends, or is to send.
 *
 * @param type as in what is sent, as in kafka
 * @param name as in what is sent
 * @param isConfirmed whether somebody said that it is meant to be there
 * @param version counts up with every change by people; 1 is the first
 * @param firstSeen minute of its earliest point; null when it never sent
 * @param lastSeen minute of its latest point, up to ten minutes behind
 */
public record CatalogResource(
    String type,
    String name,
    String displayName,
    boolean isConfirmed,
    long version,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant firstSeen,
    @Nullable Instant lastSeen) {

  private static final String BETWEEN = "\n";

  /** Its identifier in paths. */
  public String id() {
    return CatalogName.idOf(type + BETWEEN + name);
  }

  /** Where it stands in lists. */
  String place() {
    return type + BETWEEN + name;
  }

  CatalogResource renamed(String newName, Instant now) {
    return new CatalogResource(
        type, name, newName, isConfirmed, version + 1, createdAt, now, firstSeen, lastSeen);
  }

  CatalogResource confirmed(Instant now) {
    return new CatalogResource(
        type, name, displayName, true, version + 1, createdAt, now, firstSeen, lastSeen);
  }
}

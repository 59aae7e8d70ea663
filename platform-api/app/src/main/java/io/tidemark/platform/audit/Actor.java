package io.tidemark.platform.audit;

import org.jspecify.annotations.Nullable;

/**
 * Who did something.
 *
 * @param kind {@code api_key}, {@code person}, or {@code system} for Tidemark itself
 * @param address network address of the request; null for {@code system}
 */
public record Actor(String kind, String id, @Nullable String address) {

  /** A part of Tidemark that acts by itself. */
  public static Actor system(String part) {
    return new Actor("system", part, null);
  }
}

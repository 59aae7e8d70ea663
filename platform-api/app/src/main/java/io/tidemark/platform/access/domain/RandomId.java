package io.tidemark.platform.access.domain;

import java.util.random.RandomGenerator;

/** Identifiers that are drawn, 80 bits as lower-case base32 after a prefix: {@code inv-…}. */
public final class RandomId {

  private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";

  private RandomId() {}

  /** A new one. */
  public static String draw(String prefix, RandomGenerator random) {
    StringBuilder id = new StringBuilder(prefix);
    for (int i = 0; i < 16; i++) {
      id.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return id.toString();
  }
}

package io.tidemark.platform.query.domain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Which names somebody may have meant who wrote one that there is not. */
public final class NearestNames {

  private static final int MAX_NAMES = 3;
  private static final int MAX_LENGTH = 255;

  private NearestNames() {}

  /** The nearest of the names that there are, the nearest first; three at most. */
  public static List<String> of(String written, Collection<String> names) {
    if (written.length() > MAX_LENGTH) {
      return List.of();
    }
    String form = form(written);
    int bound = Math.max(2, form.length() / 3);
    Map<String, Integer> distances = new TreeMap<>();
    for (String name : names) {
      String other = form(name);
      if (Math.abs(other.length() - form.length()) <= bound) {
        int distance = distance(form, other);
        if (distance <= bound) {
          distances.put(name, distance);
        }
      } else if (form.length() > 2 && other.contains(form)) {
        // Whoever leaves a prefix out comes after whoever mistypes.
        distances.put(name, bound + 1);
      }
    }
    return distances.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .limit(MAX_NAMES)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Dots, slashes and underscores stand for each other in the names of many. */
  private static String form(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[./-]", "_");
  }

  /** How many letters have to be changed, added or left out. */
  private static int distance(String one, String other) {
    int[] before = new int[other.length() + 1];
    for (int j = 0; j < before.length; j++) {
      before[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] now = new int[before.length];
      now[0] = i;
      for (int j = 1; j < now.length; j++) {
        int changed = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(changed, 1 + Math.min(before[j], now[j - 1]));
      }
      before = now;
    }
    return before[other.length()];
  }
}

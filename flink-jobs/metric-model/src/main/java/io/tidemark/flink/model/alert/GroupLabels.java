package io.tidemark.flink.model.alert;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Labels of a group as one text: names and values in turn, apart by a null character. */
public final class GroupLabels {

  private static final char SEPARATOR = '\u0000';

  private GroupLabels() {}

  /**
   * @param names sorted
   * @param labels of a row; a name that is not among them is empty
   */
  public static String of(List<String> names, Map<String, String> labels) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      append(text, name);
      append(text, labels.getOrDefault(name, ""));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String part) {
    if (text.length() > 0) {
      text.append(SEPARATOR);
    }
    text.append(part.replace(SEPARATOR, '\uFFFD'));
  }

  /** The labels of a text, in its order. */
  public static Map<String, String> read(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (!text.isEmpty()) {
      String[] parts = text.split(String.valueOf(SEPARATOR), -1);
      for (int i = 0; i + 1 < parts.length; i += 2) {
        labels.put(parts[i], parts[i + 1]);
      }
    }
    return labels;
  }
}

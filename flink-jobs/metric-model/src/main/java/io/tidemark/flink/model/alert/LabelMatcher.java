package io.tidemark.flink.model.alert;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A label of a row and what it must be; a label that a row does not have is empty. */
public record LabelMatcher(String label, Operator operator, String value) {

  /** Expressions are RE2 and fit the whole value. */
  public enum Operator {
    EQ,
    NE,
    REGEX,
    NOT_REGEX;

    /** The operator of a contract's name; null when it is not known. */
    public static @Nullable Operator named(String wireName) {
      for (Operator operator : values()) {
        if (operator.name().toLowerCase(Locale.ROOT).equals(wireName)) {
          return operator;
        }
      }
      return null;
    }
  }
}

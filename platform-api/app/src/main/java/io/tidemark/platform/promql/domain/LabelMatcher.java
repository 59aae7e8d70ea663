package io.tidemark.platform.promql.domain;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a selector on a label. A label that a series does not have is an empty text.
 * Regular expressions are those of RE2, match whole texts and take time in proportion to them.
 */
public final class LabelMatcher {

  /** The name of the metric as a label. */
  public static final String NAME = "__name__";

  private static final int MAX_TEXT = 4_096;
  private static final int MAX_REPETITION = 1_000;
  private static final java.util.regex.Pattern REPETITION =
      java.util.regex.Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");
  private static final String SPECIAL = "\\.+*?()[]{}^$";

  /** How a label is compared. */
  public enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    MATCHES("=~"),
    MATCHES_NOT("!~");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final String label;
  private final Operator operator;
  private final String text;
  private final @Nullable Pattern pattern;
  private final boolean isSentName;

  /**
   * A matcher.
   *
   * @throws PromQlFault when the text is too long or no regular expression
   */
  public LabelMatcher(String label, Operator operator, String text) {
    this(label, operator, text, false);
  }

  private LabelMatcher(String label, Operator operator, String text, boolean isSentName) {
    this.isSentName = isSentName;
    this.label = label;
    this.operator = operator;
    this.text = text;
    if (text.length() > MAX_TEXT) {
      throw PromQlFault.wrong(
          "the matcher of " + label + " has more than " + MAX_TEXT + " characters");
    }
    this.pattern = isPattern() ? compiled(text) : null;
  }

  /** The name of a metric in quotes: as it was sent, where several have one name here. */
  public static LabelMatcher ofSentName(String text) {
    return new LabelMatcher(NAME, Operator.EQUAL, text, true);
  }

  /** Whether the text is the name of a metric as it was sent. */
  public boolean isSentName() {
    return isSentName;
  }

  /** A pattern that takes time in proportion to its text. */
  static Pattern compiled(String text) {
    long repetition = 1;
    var matcher = REPETITION.matcher(text);
    while (matcher.find() && repetition <= MAX_REPETITION) {
      String most = matcher.group(2);
      repetition *=
          Math.max(1, Long.parseLong(most == null || most.isEmpty() ? matcher.group(1) : most));
    }
    if (repetition > MAX_REPETITION) {
      throw PromQlFault.wrong(
          "a regular expression repeats more than " + MAX_REPETITION + " times");
    }
    try {
      return Pattern.compile(text, Pattern.DOTALL);
    } catch (PatternSyntaxException fault) {
      throw PromQlFault.wrong("error parsing regexp: " + fault.getDescription());
    }
  }

  public String label() {
    return label;
  }

  public Operator operator() {
    return operator;
  }

  public String text() {
    return text;
  }

  /** Whether the text is a regular expression. */
  public boolean isPattern() {
    return operator == Operator.MATCHES || operator == Operator.MATCHES_NOT;
  }

  /** Whether a value fits. */
  public boolean matches(String value) {
    return switch (operator) {
      case EQUAL -> text.equals(value);
      case NOT_EQUAL -> !text.equals(value);
      case MATCHES -> Objects.requireNonNull(pattern).matcher(value).matches();
      case MATCHES_NOT -> !Objects.requireNonNull(pattern).matcher(value).matches();
    };
  }

  /** Whether a series without the label fits. */
  public boolean matchesAbsence() {
    return matches("");
  }

  /** The texts that the expression lists, as in {@code a|b}; empty when it says anything else. */
  public Optional<Set<String>> alternatives() {
    if (text.chars().anyMatch(letter -> SPECIAL.indexOf(letter) >= 0)) {
      return Optional.empty();
    }
    return Optional.of(new TreeSet<>(Arrays.asList(text.split("\\|", -1))));
  }

  @Override
  public String toString() {
    return label + operator + '"' + text + '"';
  }
}

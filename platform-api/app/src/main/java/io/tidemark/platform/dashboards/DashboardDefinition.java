package io.tidemark.platform.dashboards;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard as people write it.
 *
 * @param form version of the form, 1
 * @param description null when there is none
 * @param resourceType the type of resource that it is of; null for one of the whole environment
 * @param variables labels that readers choose values of; none in what was stored before they were
 * @param panels in their order; null for one that is not given, which is a fault
 */
public record DashboardDefinition(
    int form,
    String title,
    @Nullable String description,
    @Nullable String resourceType,
    List<Variable> variables,
    List<Panel> panels) {

  static final int MAX_PANELS = 60;
  static final int MAX_BYTES = 256 * 1024;

  private static final int FORM = 1;
  private static final int LONGEST_TITLE = 100;
  private static final int LONGEST_DESCRIPTION = 1_000;
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_LABEL = 512;
  private static final int LONGEST_VALUE = 1_024;
  private static final int LONGEST_TEXT = 4_000;
  private static final int MAX_LABELS = 20;
  private static final int MAX_CONDITIONS = 20;
  private static final int WIDEST = 2;
  private static final int MAX_VARIABLES = 10;
  private static final int MAX_DEFAULTS = 20;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
  private static final Pattern REFERENCE = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]{0,63})");

  /** Null where something is not given. */
  public record Panel(
      @Nullable String title,
      @Nullable String type,
      @Nullable String metric,
      @Nullable String agg,
      List<String> by,
      List<Condition> where,
      int width,
      @Nullable String text) {

    public Panel {
      by = unmodifiable(by);
      where = unmodifiable(where);
    }

    private boolean isText() {
      return "text".equals(type);
    }
  }

  /**
   * A condition on a label.
   *
   * @param op EQ or NE
   */
  public record Condition(String label, @Nullable String op, String value) {}

  /**
   * A label that readers choose values of.
   *
   * @param name that conditions have behind a dollar sign
   * @param defaults what is chosen at first; none for every value
   */
  public record Variable(String name, String label, List<String> defaults, boolean multi) {
    public Variable {
      defaults = unmodifiable(defaults);
    }
  }

  public DashboardDefinition {
    variables = unmodifiable(variables);
    panels = unmodifiable(panels);
  }

  /** May hold null, unlike {@code List.copyOf}: what is missing is told with its place. */
  private static <T> List<T> unmodifiable(@Nullable List<T> items) {
    return items == null ? List.of() : Collections.unmodifiableList(new ArrayList<>(items));
  }

  /** The same under another title. */
  DashboardDefinition titled(String other) {
    return new DashboardDefinition(form, other, description, resourceType, variables, panels);
  }

  /** The title of a copy, within the length of a title. */
  DashboardDefinition copy() {
    String suffix = " (copy)";
    int room = LONGEST_TITLE - suffix.length();
    int kept = Math.min(title.codePointCount(0, title.length()), room);
    return titled(title.substring(0, title.offsetByCodePoints(0, kept)) + suffix);
  }

  /** One sentence a fault, naming the field. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (form != FORM) {
      faults.add("version must be 1.");
    }
    if (title == null || title.isBlank() || !isLine(title, LONGEST_TITLE)) {
      faults.add("title must be 1 to " + LONGEST_TITLE + " characters, no control characters.");
    }
    if (description != null && !isText(description, LONGEST_DESCRIPTION)) {
      faults.add("description must be " + textOf(LONGEST_DESCRIPTION));
    }
    if (resourceType != null && !isLine(resourceType, LONGEST_NAME)) {
      faults.add("resource_type must be " + lineOf(LONGEST_NAME));
    }
    checkVariables(faults);
    if (panels.size() > MAX_PANELS) {
      faults.add("panels must be at most " + MAX_PANELS + "; there are " + panels.size() + ".");
      return faults;
    }
    for (int index = 0; index < panels.size(); index++) {
      Panel panel = panels.get(index);
      String place = "panels[" + index + "]";
      check(place, panel, faults);
      if (panel != null && !variables.isEmpty()) {
        checkReferences(place, panel, faults);
      }
    }
    return faults;
  }

  private void checkVariables(List<String> faults) {
    if (variables.size() > MAX_VARIABLES) {
      faults.add(
          "variables must be at most " + MAX_VARIABLES + "; there are " + variables.size() + ".");
      return;
    }
    Set<String> names = new HashSet<>();
    for (int index = 0; index < variables.size(); index++) {
      String place = "variables[" + index + "]";
      Variable variable = variables.get(index);
      if (variable == null) {
        faults.add(place + " must be an object.");
      } else {
        check(place, variable, names, faults);
      }
    }
  }

  private static void check(
      String place, Variable variable, Set<String> names, List<String> faults) {
    if (variable.name() == null || !NAME.matcher(variable.name()).matches()) {
      faults.add(
          place + ".name must be a letter or _, then letters, digits or _; at most 64 characters.");
    } else if (!names.add(variable.name())) {
      faults.add(place + ".name repeats " + variable.name() + ".");
    }
    if (variable.label() == null
        || variable.label().isEmpty()
        || !isLine(variable.label(), LONGEST_LABEL)) {
      faults.add(
          place + ".label must be 1 to " + LONGEST_LABEL + " characters, no control characters.");
    }
    if (variable.defaults().size() > MAX_DEFAULTS
        || variable.defaults().stream()
            .anyMatch(value -> value == null || value.isEmpty() || !isText(value, LONGEST_VALUE))) {
      faults.add(
          place
              + ".default must be at most "
              + MAX_DEFAULTS
              + " values of 1 to "
              + LONGEST_VALUE
              + " characters.");
    } else if (!variable.multi() && variable.defaults().size() > 1) {
      faults.add(place + ".default has several values; set multi, or leave one.");
    }
  }

  /** Names the conditions whose value is the name of no variable; without variables it is text. */
  private void checkReferences(String place, Panel panel, List<String> faults) {
    for (int index = 0; index < panel.where().size(); index++) {
      Condition condition = panel.where().get(index);
      if (condition == null || condition.value() == null) {
        continue;
      }
      Matcher reference = REFERENCE.matcher(condition.value());
      if (reference.matches()
          && variables.stream()
              .noneMatch(each -> each != null && reference.group(1).equals(each.name()))) {
        faults.add(
            place
                + ".where["
                + index
                + "].value names "
                + condition.value()
                + ", which is no variable of the dashboard.");
      }
    }
  }

  private static void check(String place, Panel panel, List<String> faults) {
    if (panel == null) {
      faults.add(place + " must be an object.");
      return;
    }
    if (panel.type() == null) {
      faults.add(place + ".type is missing.");
    }
    if (panel.title() != null && !isLine(panel.title(), LONGEST_TITLE)) {
      faults.add(place + ".title must be " + lineOf(LONGEST_TITLE));
    }
    if (panel.width() < 1 || panel.width() > WIDEST) {
      faults.add(place + ".width must be 1 or " + WIDEST + ".");
    }
    if (panel.text() != null && !isText(panel.text(), LONGEST_TEXT)) {
      faults.add(place + ".text must be " + textOf(LONGEST_TEXT));
    }
    if (!panel.isText()) {
      checkQuestion(place, panel, faults);
    }
  }

  private static void checkQuestion(String place, Panel panel, List<String> faults) {
    if (panel.metric() == null
        || panel.metric().isEmpty()
        || !isLine(panel.metric(), LONGEST_NAME)) {
      faults.add(place + ".metric must be 1 to " + LONGEST_NAME + " characters.");
    }
    if (panel.agg() == null) {
      faults.add(place + ".agg is missing.");
    }
    if (panel.by().size() > MAX_LABELS
        || panel.by().stream()
            .anyMatch(label -> label == null || label.isEmpty() || !isLine(label, LONGEST_LABEL))) {
      faults.add(
          place
              + ".by must be at most "
              + MAX_LABELS
              + " labels of 1 to "
              + LONGEST_LABEL
              + " characters.");
    }
    if (panel.where().size() > MAX_CONDITIONS
        || panel.where().stream().anyMatch(condition -> !isComplete(condition))) {
      faults.add(
          place
              + ".where must be at most "
              + MAX_CONDITIONS
              + " conditions, each with a label of 1 to "
              + LONGEST_LABEL
              + " characters, an op and a value of at most "
              + LONGEST_VALUE
              + ".");
    }
  }

  private static boolean isComplete(Condition condition) {
    return condition != null
        && condition.label() != null
        && !condition.label().isEmpty()
        && isLine(condition.label(), LONGEST_LABEL)
        && condition.op() != null
        && condition.value() != null
        && isText(condition.value(), LONGEST_VALUE);
  }

  private static String lineOf(int most) {
    return "at most " + most + " characters, no control characters.";
  }

  private static String textOf(int most) {
    return "at most " + most + " characters, no control characters but line breaks and tabs.";
  }

  private static boolean isLine(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        && text.codePoints().noneMatch(DashboardDefinition::isUnfit);
  }

  private static boolean isText(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        && text.codePoints()
            .noneMatch(each -> each != '\n' && each != '\r' && each != '\t' && isUnfit(each));
  }

  /** PostgreSQL keeps no null character, and half of a surrogate pair is no character. */
  private static boolean isUnfit(int character) {
    return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE;
  }
}

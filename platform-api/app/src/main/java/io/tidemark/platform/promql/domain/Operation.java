package io.tidemark.platform.promql.domain;

/** Operators of two sides, with how tightly they bind. */
public enum Operation {
  OR("or", 1),
  AND("and", 2),
  UNLESS("unless", 2),
  EQUAL("==", 3),
  NOT_EQUAL("!=", 3),
  LESS_OR_EQUAL("<=", 3),
  LESS("<", 3),
  GREATER_OR_EQUAL(">=", 3),
  GREATER(">", 3),
  PLUS("+", 4),
  MINUS("-", 4),
  TIMES("*", 5),
  DIVIDED("/", 5),
  MODULO("%", 5),
  ARC_TANGENT("atan2", 5),
  POWER("^", 6);

  private final String text;
  private final int strength;

  Operation(String text, int strength) {
    this.text = text;
    this.strength = strength;
  }

  public String text() {
    return text;
  }

  /** Greater binds tighter. */
  int strength() {
    return strength;
  }

  /** Whether it compares. */
  public boolean isComparison() {
    return strength == 3;
  }

  /** Whether it joins sets of series. */
  public boolean isSet() {
    return strength < 3;
  }

  /** The number that it makes of two; 1 or 0 of a comparison. */
  public double apply(double left, double right) {
    return switch (this) {
      case EQUAL -> left == right ? 1 : 0;
      case NOT_EQUAL -> left != right ? 1 : 0;
      case LESS_OR_EQUAL -> left <= right ? 1 : 0;
      case LESS -> left < right ? 1 : 0;
      case GREATER_OR_EQUAL -> left >= right ? 1 : 0;
      case GREATER -> left > right ? 1 : 0;
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case DIVIDED -> left / right;
      case MODULO -> left % right;
      case ARC_TANGENT -> Math.atan2(left, right);
      case POWER -> power(left, right);
      case OR, AND, UNLESS -> throw new IllegalArgumentException(this + " joins sets");
    };
  }

  /** As IEEE 754 has it, where Java has NaN. */
  private static double power(double left, double right) {
    return left == 1 || left == -1 && Double.isInfinite(right) ? 1 : Math.pow(left, right);
  }
}

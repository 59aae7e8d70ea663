package io.tidemark.platform.promql.domain;

/** A text that is no PromQL, or PromQL that is not answered. */
public final class PromQlFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean unsupported;

  private PromQlFault(boolean unsupported, String message) {
    super(message, null, false, false);
    this.unsupported = unsupported;
  }

  /** The text breaks a rule of the language. */
  public static PromQlFault wrong(String message) {
    return new PromQlFault(false, message);
  }

  /** The text is right, and this is what cannot be answered. */
  public static PromQlFault unsupported(String what) {
    return new PromQlFault(true, "not supported: " + what);
  }

  /** Whether the text is right. */
  public boolean isUnsupported() {
    return unsupported;
  }
}

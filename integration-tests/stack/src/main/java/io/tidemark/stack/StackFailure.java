package io.tidemark.stack;

/** Something a person must act on; the message is one or a few lines that name the remedy. */
public final class StackFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StackFailure(String message) {
    super(message);
  }

  public StackFailure(String message, Throwable cause) {
    super(message, cause);
  }
}

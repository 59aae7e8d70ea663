package io.tidemark.provision;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** Something a person must act on; the message is one or a few lines that name the remedy. */
public final class ProvisionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Who has to act, and with it the exit code of the command. */
  enum Cause {
    /** An engine does not answer or refuses: the same call may succeed later. */
    ENGINE,
    /** The call, a file of {@code infra/} or a missing jar: the same call fails again. */
    INPUT
  }

  private final Cause kind;

  private ProvisionFailure(Cause kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  static ProvisionFailure engine(String message) {
    return new ProvisionFailure(Cause.ENGINE, message, null);
  }

  static ProvisionFailure engine(String message, Throwable cause) {
    return new ProvisionFailure(Cause.ENGINE, message, cause);
  }

  static ProvisionFailure input(String message) {
    return new ProvisionFailure(Cause.INPUT, message, null);
  }

  Cause kind() {
    return kind;
  }

  /** The words of a failure for a message: those of the innermost cause that has some. */
  static String reason(Throwable failure) {
    String words = failure.getClass().getSimpleName();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException) {
        return "no host of this name is known";
      }
      if (each.getMessage() != null) {
        words = each.getClass().getSimpleName() + ": " + each.getMessage();
      } else if (each instanceof ConnectException) {
        words = "the connection is refused";
      }
    }
    return words;
  }
}

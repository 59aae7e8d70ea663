package io.tidemark.platform.shared;

import java.util.List;

/** The configuration is wrong; the application does not start. */
class InvalidSettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final List<String> faults;

  InvalidSettingsException(List<String> faults) {
    super("The configuration is wrong: " + String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  List<String> faults() {
    return faults;
  }
}

package io.tidemark.platform.sizing.yaml;

import java.util.List;

/** A file of loads, costs or prices that cannot be used. */
public final class SizingFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final List<String> faults;

  SizingFileException(String name, List<String> faults) {
    super(name + ": " + String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Everything that is wrong. */
  public List<String> faults() {
    return faults;
  }
}

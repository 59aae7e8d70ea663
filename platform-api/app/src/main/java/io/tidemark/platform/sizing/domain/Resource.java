package io.tidemark.platform.sizing.domain;

/** What a part can run out of. */
public enum Resource {
  STORAGE("storage"),
  STORAGE_NETWORK("storage network"),
  NETWORK("network"),
  DISK("space on volumes"),
  CORES("cores"),
  MEMORY("memory of open series");

  private final String text;

  Resource(String text) {
    this.text = text;
  }

  /** The resource in words. */
  public String text() {
    return text;
  }
}

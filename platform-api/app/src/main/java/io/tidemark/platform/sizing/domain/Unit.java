package io.tidemark.platform.sizing.domain;

/** What amounts are in; bytes by powers of 1000, memory by powers of 1024. */
public enum Unit {
  MEGABYTES_PER_SECOND("MB/s"),
  GIGABYTES("GB"),
  GIBIBYTES("GiB"),
  CORES("cores"),
  PERCENT("%");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }
}

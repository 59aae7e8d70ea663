package io.tidemark.platform.billing.domain;

/** How tiers price a quantity. */
public enum TierMode {
  /** Each part of the quantity by its own tier. */
  GRADUATED,
  /** The whole quantity by the tier that it ends in. */
  VOLUME
}

package io.tidemark.platform.tenancy;

import java.util.Locale;

/** Where an environment is in its life. */
public enum LifecycleState {
  ACTIVE,
  /** Its keys are refused; it can be restored at any time. */
  ARCHIVED,
  /** As archived, and deleted for good at a set time. */
  DELETING,
  /** Gone for good; kept so that its identifier is not used again. */
  DELETED;

  /** The state as stored and shown, in lower case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static LifecycleState named(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}

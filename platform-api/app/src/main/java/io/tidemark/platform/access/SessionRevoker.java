package io.tidemark.platform.access;

/** Ends sessions of people. Implemented by whoever keeps them. */
@FunctionalInterface
public interface SessionRevoker {

  /** Ends all sessions of the person, on every instance. */
  void of(String person);
}

package io.tidemark.platform.access;

/** Ends sessions of people. Implemented by whoever keeps them. */
@FunctionalInterface
public interface EndSessions {

  /** Ends all sessions of the person, on every instance. */
  void of(String person);
}

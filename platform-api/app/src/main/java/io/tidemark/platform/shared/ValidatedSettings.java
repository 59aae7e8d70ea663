package io.tidemark.platform.shared;

import java.util.List;

/**
 * Settings of one module that can say what is wrong with them. All implementations that are
 * configuration properties are checked together before any other bean is created, so that a wrong
 * configuration stops the start with every fault listed at once.
 */
public interface ValidatedSettings {

  /** One sentence per fault, naming the environment variable and the remedy; empty when right. */
  List<String> faults();
}

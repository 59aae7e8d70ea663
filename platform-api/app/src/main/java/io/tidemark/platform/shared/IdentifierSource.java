package io.tidemark.platform.shared;

/** Where new identifiers come from; injected so that tests know them. */
@FunctionalInterface
public interface IdentifierSource {

  /** A new identifier, unique, opaque, safe in a header and in JSON. */
  String next();
}

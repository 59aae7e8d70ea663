package io.tidemark.platform.tenancy;

/**
 * An environment was made or changed. Published inside the transaction of the change: what a
 * listener writes commits with it.
 */
public record EnvironmentChanged(Environment environment) {}

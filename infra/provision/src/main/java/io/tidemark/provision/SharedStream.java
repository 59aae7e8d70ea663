package io.tidemark.provision;

/**
 * The stream that a second region reads and does not write: points and control records of the first
 * region's Kafka. Everything else it has is its own.
 *
 * @param kafka bootstrap servers of the first region
 * @param region name of this one; ends its consumer groups there
 */
public record SharedStream(String kafka, String region) {}

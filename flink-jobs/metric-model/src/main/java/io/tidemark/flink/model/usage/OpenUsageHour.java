package io.tidemark.flink.model.usage;

/**
 * Units of an hour that no record has yet, and how many records the hour has.
 *
 * @param <I> what is added
 * @param <S> the hour itself
 */
public interface OpenUsageHour<I, S extends OpenUsageHour<I, S>> {

  UsageHour hour();

  /** How many records the hour has so far. */
  int written();

  /** Whether all units are written. */
  boolean isEmpty();

  S plus(I more);

  /** The same hour when what it holds is written. */
  S afterRecord();
}

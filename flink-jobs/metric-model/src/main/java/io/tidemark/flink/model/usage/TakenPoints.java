package io.tidemark.flink.model.usage;

/**
 * Points of an environment that a job took from batches of an hour of receipts. Travels between
 * operators, and is state.
 *
 * @param hourUnixMs start of the hour
 * @param partition of the first batch that it holds
 * @param offset of the same
 */
public record TakenPoints(
    String organizationId,
    String environmentId,
    long hourUnixMs,
    int partition,
    long offset,
    long points) {

  /** What state is kept by. */
  public String key() {
    return organizationId + "/" + environmentId + "/" + hourUnixMs;
  }

  /** That hour of the environment as a whole. */
  public UsageHour hour() {
    return new UsageHour(UsageSubject.ofEnvironment(organizationId, environmentId), hourUnixMs);
  }

  /** With points of further batches; the place stays, unless nothing was there. */
  public TakenPoints plus(TakenPoints more) {
    return points == 0
        ? more
        : new TakenPoints(
            organizationId,
            environmentId,
            hourUnixMs,
            partition,
            offset,
            Math.addExact(points, more.points));
  }

  /** The same hour when all of it is written. */
  public TakenPoints written() {
    return new TakenPoints(organizationId, environmentId, hourUnixMs, partition, offset, 0);
  }

  /** Whether all of it is written. */
  public boolean isEmpty() {
    return points == 0;
  }

  /** Of the usage record that holds it: no batch is in two of them. */
  public String recordId() {
    return UsageRecordId.of(hour(), UsageOrigin.ROLLUP, "", partition, offset, 0);
  }
}

package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;

/** Lets look-ups of names and labels run one tenant beside the other, as queries do. */
public interface LookUpTurns {

  /** Given back when it is closed. */
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for the turn of a look-up.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code rate_limited} when there is none in
   *     time
   */
  Turn enterLookUp(TenantId organization, Lane lane);

  /**
   * Says in which lane a look-up may run.
   *
   * @param rows that it reads, as often as it reads them
   * @throws io.tidemark.platform.shared.ProblemException {@code query_too_expensive}
   */
  Lane judgeLookUp(long rows);
}

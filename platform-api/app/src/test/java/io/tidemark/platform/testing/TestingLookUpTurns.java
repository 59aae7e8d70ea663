package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.LookUpTurns;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.util.List;

/**
 * Turns that never wait.
 *
 * @param taken whose they were, to be read by tests
 * @param max rows that a look-up may read; the slow lane begins at half of them
 */
public record TestingLookUpTurns(List<TenantId> taken, long max) implements LookUpTurns {

  @Override
  public Turn enterLookUp(TenantId organization, Lane lane) {
    taken.add(organization);
    return () -> {};
  }

  @Override
  public Lane judgeLookUp(long rows) {
    if (rows > max) {
      throw ProblemException.of(ErrorCode.QUERY_TOO_EXPENSIVE, rows + " rows");
    }
    return rows > max / 2 ? Lane.SLOW : Lane.INTERACTIVE;
  }
}

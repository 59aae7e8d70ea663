package io.tidemark.platform.shared;

import java.util.function.Supplier;

/**
 * The only way to the rows of tenants. PostgreSQL shows a transaction the rows of the organisation
 * it names; outside, or without one, there are no rows and none can be written.
 */
public interface TenantTransactions {

  /**
   * Runs the work in one transaction of the organisation, joining the one that runs already.
   * Everything is undone when the work throws.
   *
   * @throws IllegalStateException when the running transaction belongs to another organisation
   */
  <T> T within(TenantId organization, Supplier<T> work);

  /** As above, for work without a result. */
  default void run(TenantId organization, Runnable work) {
    within(
        organization,
        () -> {
          work.run();
          return null;
        });
  }
}

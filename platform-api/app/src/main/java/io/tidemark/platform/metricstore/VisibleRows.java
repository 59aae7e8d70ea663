package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;

/** Rows of an organisation that queries may show. */
@FunctionalInterface
public interface VisibleRows {

  /** From when on rows are shown. */
  @FunctionalInterface
  interface From {

    /**
     * Rows of windows that begin before it are hidden, in milliseconds since the epoch; {@link
     * Long#MIN_VALUE} when all are shown, {@link Long#MAX_VALUE} when none is.
     */
    long of(String environment, String metric);
  }

  /** As it is now. */
  From of(TenantId organization, Source source);
}

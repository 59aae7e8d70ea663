package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.util.List;

/** Says how many bytes the environments of all tenants have in a store now. */
public interface CrossTenantStoreSizes {

  /**
   * Bytes of an environment at one level.
   *
   * @param level name of the datasource or table
   * @param bytes whole
   */
  record StoredSize(TenantId organization, String environment, String level, BigDecimal bytes) {}

  /** A meter of vocabulary/meters.yaml. */
  String meter();

  /**
   * Sizes now; environments without rows are left out.
   *
   * @throws io.tidemark.platform.shared.ProblemException when the store is away
   */
  List<StoredSize> sizes();
}

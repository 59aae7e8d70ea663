package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rows of recent minutes that are at hand: copies of what the store holds, added up as the store
 * adds them up.
 */
public interface RecentMinutes {

  /** Nothing is at hand. */
  RecentMinutes NONE =
      new RecentMinutes() {
        @Override
        public Optional<List<StoreRow>> rows(TenantId organization, StoreQuery query) {
          return Optional.empty();
        }

        @Override
        public OptionalLong estimate(TenantId organization, StoreQuery query) {
          return OptionalLong.empty();
        }
      };

  /**
   * What the store would answer; empty unless everything is at hand that the store has.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code result_too_large}
   */
  Optional<List<StoreRow>> rows(TenantId organization, StoreQuery query);

  /** About how many rows are looked at; empty unless they are at hand. */
  OptionalLong estimate(TenantId organization, StoreQuery query);
}

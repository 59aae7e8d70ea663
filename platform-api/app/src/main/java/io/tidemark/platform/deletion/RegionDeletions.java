package io.tidemark.platform.deletion;

import io.tidemark.platform.deletion.CrossTenantDeletions.DeletionRef;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removals as the region of this process carries them out. What is found has the steps of its own
 * stores, and settles when they do. But for {@link #toAdvance} everything joins the running
 * transaction of the organisation.
 */
interface RegionDeletions {

  /** Begins what is due; before each pass. */
  void beginDue();

  /** Removals that run here and that nobody works on at the given time. */
  List<DeletionRef> toAdvance(Instant at);

  /** Takes it for this instance until a time; false when another has it, or it is done. */
  boolean claim(TenantId organization, String id, Instant now, Instant until);

  /** A removal, held until the transaction ends. */
  Optional<DataDeletion> lock(TenantId organization, String id);

  /** Up to when everything was accepted that it is about; null while it was never postponed. */
  @Nullable Instant acceptedUntil(TenantId organization, String id);

  /** It settles later, nothing that the lake said before holds, and the lake is told. */
  DataDeletion postpone(DataDeletion removal, Instant acceptedUntil, Instant settledFrom);

  /**
   * What Druid said; the claim ends. False, and nothing is written, when the claim ended before and
   * another instance has it: what that one found is newer.
   *
   * @param claimedUntil as the claim was made
   */
  boolean setDruid(
      TenantId organization, String id, List<DruidDeletionStep> steps, Instant claimedUntil);

  /** What the lake said. */
  void setLake(TenantId organization, String id, List<LakeDeletionStep> steps);

  /** Ends it when no store has any of the rows. */
  void finishIfClear(TenantId organization, String id);
}

package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What was accepted and then set aside, for those who sent it. */
@Service
public class DeadLetters {

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcReceipts rows;
  private final DeadLetterArchive archive;
  private final ReceiptsProperties properties;
  private final Clock clock;

  DeadLetters(
      TenantTransactions transactions,
      Environments environments,
      JdbcReceipts rows,
      DeadLetterArchive archive,
      ReceiptsProperties properties,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.archive = archive;
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * Letters of an environment by batch and reason, newest first; {@code not_found}.
   *
   * @param reason null for all
   */
  public Page<DeadLetterSummary> list(
      TenantId organization, String environment, @Nullable String reason, PageRequest page) {
    EnvironmentId place = environments.get(organization, environment).id();
    DeadLetterPlace after = DeadLetterPlace.of(page.after());
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.setAside(
                    organization,
                    place,
                    reason,
                    clock.instant().minus(properties.kept()),
                    after,
                    page.limit() + 1),
                page,
                letter -> DeadLetterPlace.of(letter).toString()));
  }

  /** A letter with a sample; {@code not_found}. */
  public DeadLetterDescription get(TenantId organization, String environment, String id) {
    EnvironmentId place = environments.get(organization, environment).id();
    return DeadLetterId.of(id)
        .flatMap(letter -> archive.find(organization, place, letter))
        .orElseThrow(
            () ->
                ProblemException.of(
                    ErrorCode.NOT_FOUND,
                    "There is no such dead letter, or it is not kept any more."));
  }
}

package io.tidemark.platform.receipts;

import io.tidemark.platform.receipts.JdbcReceipts.CopyRow;
import io.tidemark.platform.receipts.JdbcReceipts.LetterRow;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds receipts. */
@Component
public class Receipts {

  private static final Pattern BATCH_ID = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");

  private final TenantTransactions transactions;
  private final JdbcReceipts rows;
  private final Clock clock;
  private final Duration kept;

  Receipts(
      TenantTransactions transactions,
      JdbcReceipts rows,
      Clock clock,
      ReceiptsProperties properties) {
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
    this.kept = properties.kept();
  }

  /**
   * The receipt of a batch of the organisation.
   *
   * @param id of the batch, or its Idempotency-Key; of several batches with that key the first
   * @throws ProblemException {@code not_found}
   */
  public Receipt of(TenantId organization, String id) {
    Instant since = clock.instant().minus(kept);
    return transactions.within(
        organization,
        () -> {
          if (BATCH_ID.matcher(id).matches()) {
            Receipt receipt = receipt(organization, id, since);
            if (receipt != null) {
              return receipt;
            }
          }
          List<String> ofKey =
              KEY.matcher(id).matches() ? rows.batchesOf(organization, id, since) : List.of();
          Receipt receipt = ofKey.isEmpty() ? null : receipt(organization, ofKey.get(0), since);
          if (receipt == null) {
            throw ProblemException.of(
                ErrorCode.NOT_FOUND,
                "There is no receipt of that identifier. One is there about a second after the"
                    + " sender's answer, for "
                    + kept.toHours()
                    + " hours.");
          }
          return receipt;
        });
  }

  private @Nullable Receipt receipt(TenantId organization, String batchId, Instant since) {
    List<CopyRow> copies = rows.copies(organization, batchId, since);
    List<LetterRow> letters = rows.letters(organization, batchId, since);
    if (copies.isEmpty() && letters.isEmpty()) {
      return null;
    }
    DeduplicationOutcome sum = new DeduplicationOutcome(withLetters(copies, letters));
    String key = copies.isEmpty() ? null : copies.get(0).idempotencyKey();
    return new Receipt(
        batchId,
        key,
        new EnvironmentId(
            copies.isEmpty() ? letters.get(0).environment() : copies.get(0).environment()),
        Stream.concat(
                copies.stream().map(CopyRow::receivedAt),
                letters.stream().map(LetterRow::receivedAt))
            .min(Instant::compareTo)
            .orElseThrow(),
        sum.accepted(),
        sum.rejected(),
        sum.counted(),
        sum.duplicates(),
        sum.lastDuplicateAt(),
        key == null
            ? List.of()
            : rows.batchesOf(organization, key, since).stream()
                .filter(other -> !other.equals(batchId))
                .toList());
  }

  /**
   * Letters about a copy that is not known, such as one of another topic, are copies of nothing.
   */
  private static List<DeduplicationOutcome.Copy> withLetters(
      List<CopyRow> copies, List<LetterRow> letters) {
    List<LetterRow> left = new ArrayList<>(letters);
    List<DeduplicationOutcome.Copy> whole = new ArrayList<>();
    for (CopyRow copy : copies) {
      Map<String, Long> aside = new TreeMap<>();
      left.removeIf(
          letter -> {
            boolean isOf = letter.isAbout(copy);
            if (isOf) {
              aside.merge(letter.reason(), letter.points(), Long::sum);
            }
            return isOf;
          });
      whole.add(
          new DeduplicationOutcome.Copy(copy.receivedAt(), copy.points(), copy.rejected(), aside));
    }
    for (LetterRow letter : left) {
      whole.add(
          new DeduplicationOutcome.Copy(
              letter.receivedAt(), 0, Map.of(), Map.of(letter.reason(), letter.points())));
    }
    return whole;
  }
}

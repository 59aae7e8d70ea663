package io.tidemark.platform.billing;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.billing.JdbcCredits.Granted;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceLine;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Credits of organisations. Each is granted once and used up by closed invoices in their order. */
@Service
public class Credits {

  private static final String LINE = "credit-";

  private final TenantTransactions transactions;
  private final JdbcCredits rows;
  private final IdempotentCreation creation;
  private final IdentifierSource identifiers;
  private final AuditLog audit;
  private final Clock clock;

  Credits(
      TenantTransactions transactions,
      JdbcCredits rows,
      IdempotentCreation creation,
      IdentifierSource identifiers,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.creation = creation;
    this.identifiers = identifiers;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * A credit.
   *
   * @param used by closed invoices
   */
  public record Account(Credit credit, Instant grantedAt, BigDecimal used) {

    public BigDecimal remaining() {
      return credit.amount().subtract(used);
    }
  }

  /** The first granted first. */
  public List<Account> list(TenantId organization) {
    return transactions.within(
        organization,
        () -> {
          Map<String, BigDecimal> used = rows.used(organization, null);
          return rows.all(organization).stream().map(one -> account(one, used)).toList();
        });
  }

  private static Account account(Granted granted, Map<String, BigDecimal> used) {
    return new Account(
        granted.credit(),
        granted.grantedAt(),
        used.getOrDefault(granted.credit().id(), BigDecimal.ZERO));
  }

  /**
   * Grants one, once for an idempotency key.
   *
   * @param wanted its identifier is not used
   * @throws ProblemException {@code invalid_request}; see also {@link IdempotentCreation}
   */
  public Created<Account> grant(
      TenantId organization, Actor actor, @Nullable String idempotencyKey, Credit wanted) {
    List<String> faults = wanted.faults();
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return creation.once(
        organization,
        "credit.grant",
        idempotencyKey,
        wanted.toString(),
        new Creation<>(
            () -> make(organization, actor, wanted),
            made -> made.credit().id(),
            id ->
                list(organization).stream()
                    .filter(one -> one.credit().id().equals(id))
                    .findFirst()
                    .orElseThrow()));
  }

  private Account make(TenantId organization, Actor actor, Credit wanted) {
    Credit credit =
        new Credit(
            "crd-" + identifiers.next(),
            wanted.kind(),
            wanted.amount(),
            wanted.currency(),
            wanted.description(),
            wanted.validFrom(),
            wanted.validUntil());
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    rows.add(organization, credit, now);
    audit.done(
        organization,
        actor,
        "credit.grant",
        "credit",
        credit.id(),
        null,
        Map.of(
            "kind", credit.kind().name(),
            "amount", credit.amount().toPlainString(),
            "currency", credit.currency()));
    return new Account(credit, now, BigDecimal.ZERO);
  }

  /**
   * Credits with what months before the period left of them.
   *
   * @param until only those granted by then; null for all
   */
  List<Credit> before(TenantId organization, BillingPeriod period, @Nullable Instant until) {
    Map<String, BigDecimal> used = rows.used(organization, period);
    return rows.all(organization).stream()
        .filter(one -> until == null || !one.grantedAt().isAfter(until))
        .map(Granted::credit)
        .map(credit -> credit.less(used.getOrDefault(credit.id(), BigDecimal.ZERO)))
        .toList();
  }

  /** Writes down what a closed invoice used; belongs to its transaction. */
  void use(TenantId organization, BillingPeriod period, Invoice invoice) {
    for (InvoiceLine line : invoice.lines()) {
      if (line.kind() == InvoiceLine.Kind.CREDIT) {
        rows.use(organization, line.id().substring(LINE.length()), period, line.amount().negate());
      }
    }
  }
}

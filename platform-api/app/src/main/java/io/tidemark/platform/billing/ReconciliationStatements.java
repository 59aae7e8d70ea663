package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcUsageEntries.Head;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Says in signed form what every stage has, with the end of the ledger that it was true of. */
@Service
public class ReconciliationStatements {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Reconciler reconciler;
  private final JdbcUsageEntries entries;
  private final TenantTransactions transactions;
  private final StatementKey key;
  private final Clock clock;

  ReconciliationStatements(
      Reconciler reconciler,
      JdbcUsageEntries entries,
      TenantTransactions transactions,
      StatementKey key,
      Clock clock) {
    this.reconciler = reconciler;
    this.entries = entries;
    this.transactions = transactions;
    this.key = key;
    this.clock = clock;
  }

  /**
   * A statement.
   *
   * @param text JSON; what is signed is its bytes in UTF-8
   * @param signature Ed25519, base64
   * @param publicKey X.509, base64
   */
  public record Signed(String text, String signature, String publicKey) {}

  /**
   * States what {@link Reconciler#reconcile} finds.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code invalid_request}
   */
  public Signed state(TenantId organization, Instant from, Instant to, boolean withLake) {
    // Before it is looked: what comes meanwhile is not stated.
    Head head = transactions.within(organization, () -> entries.head(organization));
    Reconciler.Report report = reconciler.reconcile(organization, from, to, withLake);
    Map<String, Object> whole = new LinkedHashMap<>();
    whole.put("statement", "tidemark.reconciliation/1");
    whole.put("organization_id", organization.value());
    whole.put("from", from.toString());
    whole.put("to", to.toString());
    whole.put("made_at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    whole.put("ledger_entries", head.sequence());
    whole.put("ledger_hash", head.hash());
    whole.put("agrees", report.agrees());
    whole.put("hours", report.hours().stream().map(ReconciliationStatements::hour).toList());
    whole.put(
        "measured_hours",
        report.measured().stream().map(ReconciliationStatements::measured).toList());
    whole.put("differences", report.differences().stream().map(Difference::sentence).toList());
    String text = JSON.writeValueAsString(whole);
    return new Signed(text, base64(key.sign(text)), base64(key.publicKey()));
  }

  private static Map<String, Object> hour(Reconciler.Hour hour) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("hour", hour.start().toString());
    shown.put("environment_id", hour.environment());
    shown.put("state", hour.state().name().toLowerCase(Locale.ROOT));
    put(shown, "acknowledged", hour.acknowledged());
    put(shown, "metered", hour.metered());
    put(shown, "set_aside", hour.setAside());
    put(shown, "without_value", hour.withoutValue());
    put(shown, "invoiced", hour.invoiced());
    put(shown, "taken_by_rollup", hour.takenByRollup());
    put(shown, "in_lake", hour.inLake());
    return shown;
  }

  private static Map<String, Object> measured(Reconciler.MeasuredEnvironment hour) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("hour", hour.start().toString());
    shown.put("environment_id", hour.environment());
    shown.put("state", hour.state().name().toLowerCase(Locale.ROOT));
    put(shown, "in_lake", hour.inLake());
    put(shown, "rolled_up", hour.rolledUp());
    put(shown, "in_rows", hour.inRows());
    put(shown, "in_druid", hour.inDruid());
    return shown;
  }

  private static void put(Map<String, Object> shown, String stage, @Nullable BigDecimal points) {
    if (points != null) {
      shown.put(stage, points.toPlainString());
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}

package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Whatever is changed in a ledger behind its back is named. */
@ExtendWith(RunningPlatform.Extension.class)
class LedgerVerificationIT {

  private static final long MILLION = 1_000_000;

  private final RunningPlatform platform;
  private final BillingPeriod last;

  LedgerVerificationIT(RunningPlatform platform) {
    this.platform = platform;
    this.last = TestingAccount.lastMonth(platform);
  }

  /** What somebody with the rights of the database's superuser can do. */
  private void tamper(String table, String sql) {
    platform.database().sql("ALTER TABLE " + table + " DISABLE TRIGGER USER").update();
    platform.database().sql(sql).update();
    platform.database().sql("ALTER TABLE " + table + " ENABLE TRIGGER USER").update();
  }

  /** Controls of the proof itself: each does what must never happen, and one fault names it. */
  @Test
  void aDroppedADoubledAndAnEditedEntryAndAPriceOfThePastAreEachNamed() {
    TestingAccount account = new TestingAccount(platform, "controls");
    for (int day = 0; day < 3; day++) {
      account.use(last.start().plus(day, ChronoUnit.DAYS), "lkc-1", 11 * MILLION);
    }
    account.close(last);
    assertThat(account.faults()).isEmpty();
    String own = " organization_id = '" + account.organization().value() + "'";
    JdbcClient database = platform.database();

    database
        .sql("CREATE TABLE control_of_a_test AS SELECT * FROM usage_entry WHERE" + own)
        .update();
    String put = "INSERT INTO usage_entry SELECT * FROM control_of_a_test WHERE sequence = ";
    try {
      tamper("usage_entry", "DELETE FROM usage_entry WHERE sequence = 2 AND" + own);
      assertThat(account.faults())
          .as("one usage record is dropped")
          .anySatisfy(fault -> assertThat(fault).isEqualTo("Entries between 1 and 3 are missing."))
          .anySatisfy(fault -> assertThat(fault).startsWith("Invoice " + last + ", line points"));
      tamper("usage_entry", put + 2);
      assertThat(account.faults()).isEmpty();

      database
          .sql(
              "UPDATE control_of_a_test SET sequence = 4,"
                  + " record_id = decode(repeat('ab', 32), 'hex') WHERE sequence = 2")
          .update();
      tamper("usage_entry", put + 4);
      assertThat(account.faults())
          .as("one usage record is doubled")
          .anySatisfy(
              fault -> assertThat(fault).isEqualTo("Entry 4 does not follow the entry before it."))
          .anySatisfy(fault -> assertThat(fault).startsWith("Entry 4 (points of cpu in "));
      tamper("usage_entry", "DELETE FROM usage_entry WHERE sequence = 4 AND" + own);
      assertThat(account.faults()).isEmpty();
    } finally {
      database.sql("DROP TABLE control_of_a_test").update();
    }

    tamper("usage_entry", "UPDATE usage_entry SET units = units - 1 WHERE sequence = 3 AND" + own);
    assertThat(account.faults())
        .as("one entry is edited")
        .anySatisfy(
            fault ->
                assertThat(fault)
                    .isEqualTo(
                        "Entry 3 (points of cpu in "
                            + last.start().plus(2, ChronoUnit.DAYS)
                            + ") was changed: its hash does not fit it."));
    tamper("usage_entry", "UPDATE usage_entry SET units = units + 1 WHERE sequence = 3 AND" + own);

    tamper(
        "plan_version",
        """
        INSERT INTO plan_version (organization_id, version, effective_from, plan, chosen_at)
        SELECT '%s', 1000, '%s',
          '{"name":"x","currency":"EUR","base_fee":"0","minimum":"0","discount_percent":"0",'
          '"tax":{"name":"VAT","rate_percent":"0"},"charges":[{"meter":"points","per":"1000000",'
          '"included":"0","mode":"GRADUATED","tiers":[{"price":"9","flat":"0"}]}]}', now()
        """
            .formatted(account.organization().value(), last.firstDay()));
    assertThat(account.faults())
        .as("one price is changed for a month that is closed")
        .anySatisfy(
            fault -> assertThat(fault).contains("line points", "but ledger and plan give 297.00"));
    tamper("plan_version", "DELETE FROM plan_version WHERE version = 1000 AND" + own);
    assertThat(account.faults()).isEmpty();
  }
}

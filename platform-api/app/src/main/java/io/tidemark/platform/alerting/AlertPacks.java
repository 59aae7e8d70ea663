package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.AlertPack.MadeRule;
import io.tidemark.platform.alerting.AlertPack.OfEnvironment;
import io.tidemark.platform.alerting.AlertPack.PackRule;
import io.tidemark.platform.alerting.JdbcAlertPacks.PackedRule;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;

/**
 * Packs of alert rules as environments have them. A rule that somebody changed belongs to them: no
 * newer version of its pack touches it.
 */
@Service
public class AlertPacks {

  private static final String TYPE = "alert_pack";
  private static final int DIGEST_BYTES = 16;

  private final TenantTransactions transactions;
  private final Environments environments;
  private final AlertPackCatalog catalog;
  private final JdbcAlertPacks rows;
  private final AlertRules rules;
  private final AuditLog audit;

  AlertPacks(
      TenantTransactions transactions,
      Environments environments,
      AlertPackCatalog catalog,
      JdbcAlertPacks rows,
      AlertRules rules,
      AuditLog audit) {
    this.transactions = transactions;
    this.environments = environments;
    this.catalog = catalog;
    this.rows = rows;
    this.rules = rules;
    this.audit = audit;
  }

  /** Every pack there is, by name; {@code not_found}. */
  public List<OfEnvironment> list(TenantId organization, String environment) {
    EnvironmentId place = environments.get(organization, environment).id();
    return transactions.within(
        organization,
        () -> catalog.all().stream().map(pack -> of(organization, place, pack)).toList());
  }

  /** One pack; {@code not_found}. */
  public OfEnvironment get(TenantId organization, String environment, String name) {
    EnvironmentId place = environments.get(organization, environment).id();
    AlertPack pack = known(name);
    return transactions.within(organization, () -> of(organization, place, pack));
  }

  /**
   * Gives the environment the rules of the pack's version of today; done again it changes nothing.
   *
   * @throws ProblemException {@code not_found}, {@code conflict}
   */
  public OfEnvironment enable(TenantId organization, Actor actor, String environment, String name) {
    EnvironmentId place = environments.get(organization, environment).id();
    AlertPack pack = known(name);
    return transactions.within(
        organization,
        () -> {
          rows.hold(organization, place, name);
          var before = rows.find(organization, place, name);
          // A process of an older program does not take back what a newer one gave.
          if (before.isEmpty() || before.get().version() <= pack.version()) {
            boolean isNew = before.isEmpty() || before.get().version() < pack.version();
            boolean isChanged = give(organization, place, pack);
            if (isNew || isChanged) {
              rows.put(organization, place, name, pack.version(), rules.now(), actor.id());
              audit.done(
                  organization,
                  actor,
                  "alert_pack.enable",
                  TYPE,
                  environment + "/" + name,
                  before.map(AlertPack.Enabled::version).orElse(null),
                  pack.version());
            }
          }
          return of(organization, place, pack);
        });
  }

  /** Enables the pack unless the environment has it in this version or a newer one. */
  void enableOnce(TenantId organization, Actor actor, EnvironmentId environment, String name) {
    long version = known(name).version();
    boolean isThere =
        transactions.within(
            organization,
            () ->
                rows.find(organization, environment, name)
                    .filter(enabled -> enabled.version() >= version)
                    .isPresent());
    if (!isThere) {
      var unused = enable(organization, actor, environment.value(), name);
    }
  }

  private boolean give(TenantId organization, EnvironmentId environment, AlertPack pack) {
    Map<String, PackedRule> there = new LinkedHashMap<>();
    rows.rules(organization, environment, pack.name()).forEach(rule -> there.put(rule.key(), rule));
    boolean isChanged = false;
    for (PackRule wanted : pack.rules()) {
      PackedRule held = there.remove(wanted.key());
      AlertRuleDefinition definition = wanted.definition();
      if (held != null && (isTouched(held) || definition.equals(held.rule().definition()))) {
        continue;
      }
      AlertRule rule =
          held == null
              ? rules.add(organization, environment, definition)
              : rules.replace(organization, held.rule(), definition);
      rows.mark(organization, rule.id(), pack.name(), wanted.key(), fingerprint(definition));
      isChanged = true;
    }
    for (PackedRule dropped : there.values()) {
      if (isTouched(dropped)) {
        rows.mark(organization, dropped.rule().id(), null, null, null);
      } else {
        rules.remove(organization, dropped.rule(), "The rule is not in its pack any more.");
      }
      isChanged = true;
    }
    return isChanged;
  }

  /** Removes the rules of the pack, those too that somebody changed. */
  public void disable(TenantId organization, Actor actor, String environment, String name) {
    EnvironmentId place = environments.get(organization, environment).id();
    AlertPack pack = known(name);
    transactions.run(
        organization,
        () -> {
          rows.hold(organization, place, name);
          if (rows.find(organization, place, name).isEmpty()) {
            return;
          }
          for (PackedRule rule : rows.rules(organization, place, name)) {
            rules.remove(organization, rule.rule(), "The pack of the rule is disabled.");
          }
          rows.delete(organization, place, name);
          audit.done(
              organization,
              actor,
              "alert_pack.disable",
              TYPE,
              environment + "/" + name,
              pack.version(),
              null);
        });
  }

  private OfEnvironment of(TenantId organization, EnvironmentId environment, AlertPack pack) {
    return new OfEnvironment(
        pack,
        rows.find(organization, environment, pack.name()).orElse(null),
        rows.rules(organization, environment, pack.name()).stream()
            .map(rule -> new MadeRule(rule.key(), rule.rule().id(), isTouched(rule)))
            .toList());
  }

  private static boolean isTouched(PackedRule held) {
    return !fingerprint(held.rule().definition()).equals(held.fingerprint());
  }

  private static String fingerprint(AlertRuleDefinition definition) {
    return digest(StoredJson.JSON.writeValueAsString(definition));
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }

  private AlertPack known(String name) {
    return catalog
        .find(name)
        .orElseThrow(
            () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such alert pack."));
  }
}

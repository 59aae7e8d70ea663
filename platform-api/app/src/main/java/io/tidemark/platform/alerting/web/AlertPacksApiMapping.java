package io.tidemark.platform.alerting.web;

import io.tidemark.contracts.controlapi.model.AlertKind;
import io.tidemark.contracts.controlapi.model.AlertPack;
import io.tidemark.contracts.controlapi.model.AlertPackRule;
import io.tidemark.contracts.controlapi.model.AlertSeverity;
import io.tidemark.platform.alerting.AlertPack.MadeRule;
import io.tidemark.platform.alerting.AlertPack.OfEnvironment;
import io.tidemark.platform.alerting.AlertPack.PackRule;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Alert packs between the module and the contract. */
final class AlertPacksApiMapping {

  private AlertPacksApiMapping() {}

  static AlertPack shown(OfEnvironment of) {
    Map<String, MadeRule> made =
        of.made().stream().collect(Collectors.toMap(MadeRule::key, Function.identity()));
    AlertPack shown =
        new AlertPack(
            of.pack().name(),
            of.pack().version(),
            of.pack().title(),
            of.pack().description(),
            of.pack().rules().stream().map(rule -> shown(rule, made.get(rule.key()))).toList());
    if (of.enabled() != null) {
      shown
          .enabledVersion(of.enabled().version())
          .enabledAt(of.enabled().at().atOffset(ZoneOffset.UTC))
          .enabledBy(of.enabled().by());
    }
    return shown;
  }

  private static AlertPackRule shown(PackRule rule, @Nullable MadeRule made) {
    return new AlertPackRule(
            rule.key(),
            rule.definition().name(),
            AlertSeverity.fromValue(rule.definition().severity()),
            AlertKind.fromValue(Objects.requireNonNull(rule.definition().condition()).kind()),
            rule.definition().condition().metric(),
            rule.definition().annotations().get("summary"),
            rule.runbook(),
            made != null && made.isChanged())
        .alertRuleId(made == null ? null : made.ruleId());
  }
}

package io.tidemark.platform.cardinality.web;

import io.tidemark.contracts.controlapi.CardinalityApi;
import io.tidemark.contracts.controlapi.model.Cardinality;
import io.tidemark.contracts.controlapi.model.CardinalityAction;
import io.tidemark.contracts.controlapi.model.CardinalityBudgets;
import io.tidemark.contracts.controlapi.model.CardinalityDay;
import io.tidemark.contracts.controlapi.model.CardinalityEffect;
import io.tidemark.contracts.controlapi.model.CardinalityLabel;
import io.tidemark.contracts.controlapi.model.CardinalityLabelList;
import io.tidemark.contracts.controlapi.model.CardinalityLevel;
import io.tidemark.contracts.controlapi.model.CardinalityMethod;
import io.tidemark.contracts.controlapi.model.CardinalityMetric;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.cardinality.LabelEffect;
import io.tidemark.platform.cardinality.SeriesCardinality;
import io.tidemark.platform.cardinality.SeriesCardinality.Effect;
import io.tidemark.platform.cardinality.SeriesCardinality.MetricCount;
import io.tidemark.platform.cardinality.SeriesCardinality.Summary;
import io.tidemark.platform.metricstore.SeriesCounter;
import io.tidemark.platform.metricstore.SeriesCounter.ResourceSelector;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Cardinality of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class CardinalityController implements CardinalityApi {

  private static final String TYPE = "cardinality";

  private final ControlApiGuard guard;
  private final SeriesCardinality cardinality;

  CardinalityController(ControlApiGuard guard, SeriesCardinality cardinality) {
    this.guard = guard;
    this.cardinality = cardinality;
  }

  private ControlApiCall enter(
      String organization, String environment, Permission needed, String action) {
    return guard.enterEnvironment(organization, environment, needed, action, TYPE);
  }

  @Override
  public ResponseEntity<Cardinality> getCardinality(
      String organizationId,
      String environmentId,
      @Nullable String resourceType,
      @Nullable String resourceId) {
    enter(organizationId, environmentId, Permission.CATALOG_READ, "cardinality.read");
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.BUDGETS_READ, "cardinality.read");
    Summary found =
        cardinality.summary(
            call.organization(), environmentId, new ResourceSelector(resourceType, resourceId));
    boolean isFolding = found.metrics().stream().anyMatch(metric -> metric.folded() > 0);
    return ResponseEntity.ok(
        new Cardinality(
            found.countedAt().atOffset(ZoneOffset.UTC),
            found.series(),
            found.metricsCounted(),
            method(found.exact()),
            error(found.exact()),
            method(found.daysExact()),
            error(found.daysExact()),
            days(found.days()),
            new CardinalityBudgets(
                found.budgets().activeSeries(),
                found.budgets().newSeriesPerMinute(),
                found.budgets().labelsPerSeries(),
                found.budgets().labelKeysPerMetric(),
                isFolding),
            found.metrics().stream().map(CardinalityController::shown).toList()));
  }

  @Override
  public ResponseEntity<CardinalityLabelList> listCardinalityLabels(
      String organizationId, String environmentId, String metric) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.CATALOG_READ, "cardinality.labels");
    return ResponseEntity.ok(
        new CardinalityLabelList(
            metric,
            error(false),
            cardinality.labels(call.organization(), environmentId, metric).stream()
                .map(label -> new CardinalityLabel(label.label(), label.values(), label.split()))
                .toList()));
  }

  @Override
  public ResponseEntity<CardinalityEffect> previewCardinality(
      String organizationId, String environmentId, String metric, String label, String action) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.CATALOG_READ, "cardinality.preview");
    CardinalityAction asked = asked(action);
    Effect effect =
        cardinality.effect(
            call.organization(),
            environmentId,
            metric,
            label,
            asked == CardinalityAction.DROP ? LabelEffect.Action.DROP : LabelEffect.Action.SPLIT);
    return ResponseEntity.ok(
        new CardinalityEffect(
            metric,
            label,
            asked,
            effect.window().start().atOffset(ZoneOffset.UTC),
            effect.window().end().atOffset(ZoneOffset.UTC),
            effect.rows().series(),
            effect.rows().seriesAfter(),
            effect.rows().levels().stream().map(level -> shown(level, effect)).toList()));
  }

  private static CardinalityAction asked(String action) {
    try {
      return CardinalityAction.fromValue(action);
    } catch (IllegalArgumentException unknown) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, "action must be drop or split.");
    }
  }

  private static CardinalityLevel shown(LabelEffect.LevelRows level, Effect effect) {
    Double size = effect.bytesPerRow().get(level.source());
    return new CardinalityLevel(level.source().datasource(), level.rows(), level.rowsAfter())
        .bytesPerDay(size == null ? null : Math.round(size * level.rows()))
        .bytesPerDayAfter(size == null ? null : Math.round(size * level.rowsAfter()));
  }

  private static CardinalityMetric shown(MetricCount metric) {
    return new CardinalityMetric(
        metric.metric(),
        metric.series(),
        metric.folded(),
        days(metric.days()),
        List.copyOf(metric.split()));
  }

  private static List<CardinalityDay> days(Map<LocalDate, Long> days) {
    return days.entrySet().stream()
        .map(day -> new CardinalityDay(day.getKey(), day.getValue()))
        .toList();
  }

  private static CardinalityMethod method(boolean exact) {
    return exact ? CardinalityMethod.EXACT : CardinalityMethod.ESTIMATED;
  }

  private static BigDecimal error(boolean exact) {
    return exact ? BigDecimal.ZERO : BigDecimal.valueOf(SeriesCounter.RELATIVE_ERROR);
  }
}

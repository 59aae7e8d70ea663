package io.tidemark.platform.dashboards.web;

import io.tidemark.contracts.controlapi.model.Dashboard;
import io.tidemark.contracts.controlapi.model.DashboardAuthor;
import io.tidemark.contracts.controlapi.model.DashboardComparison;
import io.tidemark.contracts.controlapi.model.DashboardCondition;
import io.tidemark.contracts.controlapi.model.DashboardDefinition;
import io.tidemark.contracts.controlapi.model.DashboardFunction;
import io.tidemark.contracts.controlapi.model.DashboardPanel;
import io.tidemark.contracts.controlapi.model.DashboardPanelType;
import io.tidemark.contracts.controlapi.model.DashboardSummary;
import io.tidemark.contracts.controlapi.model.DashboardVariable;
import io.tidemark.contracts.controlapi.model.DashboardVersion;
import io.tidemark.platform.dashboards.DashboardDefinition.Condition;
import io.tidemark.platform.dashboards.DashboardDefinition.Panel;
import io.tidemark.platform.dashboards.DashboardDefinition.Variable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Dashboards in the words of the contract, and back. */
final class DashboardsApiMapping {

  private DashboardsApiMapping() {}

  static io.tidemark.platform.dashboards.DashboardDefinition read(DashboardDefinition sent) {
    return new io.tidemark.platform.dashboards.DashboardDefinition(
        sent.getVersion() == null ? 0 : sent.getVersion(),
        sent.getTitle(),
        sent.getDescription(),
        sent.getResourceType(),
        each(sent.getVariables(), DashboardsApiMapping::read),
        each(sent.getPanels(), DashboardsApiMapping::read));
  }

  private static Variable read(DashboardVariable sent) {
    return new Variable(
        sent.getName(),
        sent.getLabel(),
        Objects.requireNonNullElse(sent.getDefault(), List.of()),
        Boolean.TRUE.equals(sent.getMulti()));
  }

  private static Panel read(DashboardPanel sent) {
    return new Panel(
        sent.getTitle(),
        sent.getType() == null ? null : sent.getType().getValue(),
        sent.getMetric(),
        sent.getAgg() == null ? null : sent.getAgg().getValue(),
        Objects.requireNonNullElse(sent.getBy(), List.of()),
        each(sent.getWhere(), DashboardsApiMapping::read),
        sent.getWidth() == null ? 1 : sent.getWidth(),
        sent.getText());
  }

  private static Condition read(DashboardCondition sent) {
    return new Condition(
        sent.getLabel(), sent.getOp() == null ? null : sent.getOp().getValue(), sent.getValue());
  }

  /** Keeps null items, which are told as faults with their place. */
  private static <S, T> List<T> each(@Nullable List<S> sent, Function<S, T> read) {
    List<T> items = new ArrayList<>();
    if (sent != null) {
      sent.forEach(item -> items.add(item == null ? null : read.apply(item)));
    }
    return items;
  }

  static Dashboard shown(io.tidemark.platform.dashboards.Dashboard dashboard) {
    return new Dashboard(
        dashboard.id(),
        dashboard.version(),
        shown(dashboard.definition()),
        shown(dashboard.createdBy()),
        utc(dashboard.createdAt()),
        shown(dashboard.updatedBy()),
        utc(dashboard.updatedAt()));
  }

  static DashboardSummary shown(io.tidemark.platform.dashboards.DashboardSummary summary) {
    return new DashboardSummary(
            summary.id(),
            summary.version(),
            summary.title(),
            summary.panelCount(),
            shown(summary.createdBy()),
            utc(summary.createdAt()),
            shown(summary.updatedBy()),
            utc(summary.updatedAt()))
        .description(summary.description())
        .resourceType(summary.resourceType());
  }

  /** Without the definition, as in lists. */
  static DashboardVersion shown(io.tidemark.platform.dashboards.DashboardVersion version) {
    return new DashboardVersion(
            version.version(),
            shown(version.changedBy()),
            utc(version.changedAt()),
            version.definition().title(),
            version.definition().panels().size())
        .restoredFrom(version.restoredFrom());
  }

  static DashboardDefinition shown(io.tidemark.platform.dashboards.DashboardDefinition definition) {
    return new DashboardDefinition(
            definition.form(),
            definition.title(),
            definition.panels().stream().map(DashboardsApiMapping::shown).toList())
        .description(definition.description())
        .resourceType(definition.resourceType())
        .variables(
            definition.variables().isEmpty()
                ? null
                : definition.variables().stream().map(DashboardsApiMapping::shown).toList());
  }

  private static DashboardVariable shown(Variable variable) {
    return new DashboardVariable(variable.name(), variable.label())
        ._default(variable.defaults())
        .multi(variable.multi());
  }

  private static DashboardPanel shown(Panel panel) {
    return new DashboardPanel(DashboardPanelType.fromValue(panel.type()))
        .title(panel.title())
        .metric(panel.metric())
        .agg(panel.agg() == null ? null : DashboardFunction.fromValue(panel.agg()))
        .by(panel.by())
        .where(panel.where().stream().map(DashboardsApiMapping::shown).toList())
        .width(panel.width())
        .text(panel.text());
  }

  private static DashboardCondition shown(Condition condition) {
    return new DashboardCondition(
        condition.label(), DashboardComparison.fromValue(condition.op()), condition.value());
  }

  private static DashboardAuthor shown(io.tidemark.platform.dashboards.DashboardAuthor author) {
    return new DashboardAuthor(author.kind(), author.id());
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}

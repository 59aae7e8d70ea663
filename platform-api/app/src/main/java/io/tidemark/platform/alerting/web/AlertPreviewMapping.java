package io.tidemark.platform.alerting.web;

import static io.tidemark.platform.alerting.web.AlertsApiMapping.utc;

import io.tidemark.contracts.controlapi.model.AlertPreview;
import io.tidemark.contracts.controlapi.model.AlertPreviewGroup;
import io.tidemark.contracts.controlapi.model.AlertPreviewIncident;
import io.tidemark.contracts.controlapi.model.AlertPreviewPoint;
import io.tidemark.contracts.controlapi.model.AlertState;
import io.tidemark.platform.alerting.backtest.BacktestReport;

/** Previews of rules as the contract shows them. */
final class AlertPreviewMapping {

  private AlertPreviewMapping() {}

  static AlertPreview shown(BacktestReport report) {
    return new AlertPreview(
            utc(report.from()),
            utc(report.until()),
            report.stepMinutes(),
            report.decided(),
            report.groupsTotal(),
            report.groups().stream().map(AlertPreviewMapping::shown).toList(),
            report.incidentsTotal(),
            report.revised(),
            report.incidents().stream().map(AlertPreviewMapping::shown).toList())
        .firstRowMinute(utc(report.firstRow()));
  }

  private static AlertPreviewGroup shown(BacktestReport.Group group) {
    return new AlertPreviewGroup(
        group.labels(),
        group.incidents(),
        group.firingMinutes(),
        group.noDataMinutes(),
        group.points().stream()
            .map(
                point ->
                    new AlertPreviewPoint(utc(point.at()), AlertState.fromValue(point.state()))
                        .value(point.value()))
            .toList());
  }

  private static AlertPreviewIncident shown(BacktestReport.Incident incident) {
    return new AlertPreviewIncident(incident.labels(), utc(incident.start()), incident.revised())
        .endedAt(utc(incident.end()))
        .value(incident.value());
  }
}

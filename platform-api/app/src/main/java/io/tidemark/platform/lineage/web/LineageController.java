package io.tidemark.platform.lineage.web;

import io.tidemark.contracts.controlapi.LineageApi;
import io.tidemark.contracts.controlapi.model.Lineage;
import io.tidemark.contracts.controlapi.model.LineageEdge;
import io.tidemark.contracts.controlapi.model.LineageKind;
import io.tidemark.contracts.controlapi.model.LineageMinute;
import io.tidemark.contracts.controlapi.model.LineageNode;
import io.tidemark.contracts.controlapi.model.LineagePlace;
import io.tidemark.contracts.controlapi.model.LineageState;
import io.tidemark.contracts.controlapi.model.LineageUnit;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.lineage.Counts;
import io.tidemark.platform.lineage.LineageGraph;
import io.tidemark.platform.lineage.PipelineLineage;
import io.tidemark.platform.lineage.Reach;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.OptionalDouble;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Lineage of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class LineageController implements LineageApi {

  private final ControlApiGuard guard;
  private final PipelineLineage lineage;

  LineageController(ControlApiGuard guard, PipelineLineage lineage) {
    this.guard = guard;
    this.lineage = lineage;
  }

  @Override
  public ResponseEntity<Lineage> getLineage(String organizationId, String environmentId) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.CATALOG_READ, "lineage.read", "lineage");
    LineageGraph graph = lineage.of(call.organization(), environmentId);
    return ResponseEntity.ok(
        new Lineage(
            graph.countedAt().atOffset(ZoneOffset.UTC),
            graph.window().start().atOffset(ZoneOffset.UTC),
            graph.window().end().atOffset(ZoneOffset.UTC),
            graph.nodes().stream().map(LineageController::shown).toList(),
            graph.edges().stream().map(LineageController::shown).toList()));
  }

  private static LineageNode shown(LineageGraph.Node node) {
    return new LineageNode(
        place(node.place()),
        LineageKind.fromValue(word(node.place().kind())),
        LineageState.fromValue(word(node.state())));
  }

  private static LineageEdge shown(LineageGraph.Edge edge) {
    Counts counts = edge.counts();
    Reach reach = edge.reach();
    OptionalDouble perMinute = counts.perMinute();
    return new LineageEdge(
            place(edge.from()),
            place(edge.to()),
            LineageState.fromValue(word(edge.state())),
            LineageUnit.fromValue(word(edge.unit())),
            counts.minutes().stream().map(LineageController::shown).toList())
        .countedAt(counts.missing() == null ? place(edge.countedAt()) : null)
        .perMinute(perMinute.isPresent() ? perMinute.getAsDouble() : null)
        .rateMissing(counts.missing())
        .watermark(reach.until() == null ? null : reach.until().atOffset(ZoneOffset.UTC))
        .watermarkMissing(reach.missing())
        .lagSeconds(edge.lag() == null ? null : edge.lag().toSeconds())
        .lateAfterSeconds(reach.lateAfter() == null ? null : reach.lateAfter().toSeconds());
  }

  private static LineageMinute shown(Counts.Minute minute) {
    return new LineageMinute(
        minute.start().atOffset(ZoneOffset.UTC), minute.count(), minute.isComplete());
  }

  private static LineagePlace place(io.tidemark.platform.lineage.LineagePlace place) {
    return LineagePlace.fromValue(word(place));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}

package io.tidemark.platform.sizing.web;

import io.tidemark.contracts.controlapi.SizingApi;
import io.tidemark.contracts.controlapi.model.Sizing;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.yaml.SizingFiles;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Sizing of the control API. It belongs to no organisation; whoever calls may ask. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class SizingController implements SizingApi {

  /** Until then a new version or price file may not show. */
  private static final Duration FRESH = Duration.ofMinutes(5);

  private final SizingPlanner planner;
  private final Load usual;

  SizingController(SizingPlanner planner) {
    this.planner = planner;
    this.usual = SizingFiles.load(planner.prices());
  }

  @Override
  public ResponseEntity<Sizing> getSizing(
      @Nullable Double points,
      @Nullable Double series,
      @Nullable Double labels,
      @Nullable Double late,
      @Nullable Double split,
      @Nullable Double requests,
      @Nullable Integer replication,
      @Nullable Integer groups,
      @Nullable Integer segmentReplicas,
      @Nullable Integer taskReplicas,
      @Nullable Double kafkaDays,
      @Nullable Double minutesDays,
      @Nullable Double hotHours,
      @Nullable Double lakeDays,
      @Nullable Double busy,
      @Nullable String brokers,
      @Nullable String brokerVolume,
      @Nullable String workers,
      @Nullable String historicals) {
    Load load =
        new Load(
            or(points, usual.points()),
            or(series, usual.series()),
            or(labels, usual.labels()),
            or(late, usual.late()),
            or(split, usual.split()),
            or(requests, usual.requests()),
            or(replication, usual.replication()),
            or(groups, usual.groups()),
            or(segmentReplicas, usual.segmentReplicas()),
            or(taskReplicas, usual.taskReplicas()),
            or(kafkaDays, usual.kafkaDays()),
            or(minutesDays, usual.minutesDays()),
            or(hotHours, usual.hotHours()),
            or(lakeDays, usual.lakeDays()),
            or(busy, usual.busy()),
            or(brokers, usual.brokers()),
            or(brokerVolume, usual.brokerVolume()),
            or(workers, usual.workers()),
            or(historicals, usual.historicals()));
    ProblemException.refuse(
        load.faults(planner.prices()).stream()
            .map(fault -> fault.field() + " " + fault.rule() + ".")
            .toList());
    return ResponseEntity.ok()
        .cacheControl(CacheControl.maxAge(FRESH).cachePrivate())
        .body(SizingApiMapping.shown(load, planner));
  }

  private static <T> T or(@Nullable T given, T otherwise) {
    return given == null ? otherwise : given;
  }
}

package io.tidemark.platform.replay.kafka;

import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.platform.replay.DeadLetterReplay;
import io.tidemark.platform.replay.ReplayProperties;
import io.tidemark.platform.replay.ReplayRunner;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Runs replays over a log. */
@Component
public class KafkaReplayRunner implements ReplayRunner {

  private static final Set<String> REASONS =
      Arrays.stream(Reason.values())
          .filter(reason -> reason != Reason.UNRECOGNIZED && reason != Reason.REASON_UNSPECIFIED)
          .map(reason -> reason.name().replaceFirst("^REASON_", ""))
          .collect(Collectors.toUnmodifiableSet());

  private final ReplayLog log;
  private final ReplayProperties properties;

  public KafkaReplayRunner(ReplayLog log, ReplayProperties properties) {
    this.log = log;
    this.properties = properties;
  }

  @Override
  public Set<String> reasons() {
    return REASONS;
  }

  @Override
  public Result count(
      TenantId organization, DeadLetterReplay replay, Instant now, Progress progress) {
    return new DeadLetterReplayRun(log, properties, organization, replay, now, progress).count();
  }

  @Override
  public Result execute(
      TenantId organization, DeadLetterReplay replay, Instant now, Progress progress) {
    return new DeadLetterReplayRun(log, properties, organization, replay, now, progress).execute();
  }
}

package io.tidemark.platform.replay;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.replay.DeadLetterReplay.State;
import io.tidemark.platform.replay.ReplayRunner.ReplayFencedException;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * Counts and executes replays that are due. Any number of instances may do so: each claims what it
 * works on and renews the claim while it works; of executions one runs at a time. An instance that
 * lost its claim stops, and Kafka takes nothing more of it as soon as another has opened the log.
 */
@Service
class ReplayExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayExecutor.class);
  private static final String TYPE = "dead_letter_replay";

  /** Longer than any pause between two reports of progress. */
  private static final Duration CLAIM = Duration.ofMinutes(2);

  private static final Duration REPORT = Duration.ofSeconds(1);

  /** The command that took over is done by then. */
  private static final Duration AFTER_FENCE = Duration.ofMinutes(1);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(15);
  private static final int MAX_ATTEMPTS = 20;

  private final TenantTransactions transactions;
  private final CrossTenantReplays due;
  private final JdbcDeadLetterReplays rows;
  private final ReplayRunner runner;
  private final AuditLog audit;
  private final Clock clock;

  ReplayExecutor(
      TenantTransactions transactions,
      CrossTenantReplays due,
      JdbcDeadLetterReplays rows,
      ReplayRunner runner,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.due = due;
    this.rows = rows;
    this.runner = runner;
    this.audit = audit;
    this.clock = clock;
  }

  /** Another instance works on the replay now. */
  private static final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Works on what is due, one replay after the other. */
  void advanceAll(Runnable advanced) {
    for (CrossTenantReplays.Due next : due.due(clock.instant())) {
      new Work(next.organization(), next.replay(), advanced).advance();
    }
  }

  private final class Work implements ReplayRunner.Progress {
    private final TenantId organization;
    private final String id;
    private final Runnable advanced;
    private @Nullable Instant claim;
    private Instant reported = Instant.MIN;

    Work(TenantId organization, String id, Runnable advanced) {
      this.organization = organization;
      this.id = id;
      this.advanced = advanced;
    }

    void advance() {
      DeadLetterReplay claimed = transactions.within(organization, this::claim);
      if (claimed == null) {
        return;
      }
      try {
        Instant now = clock.instant();
        ReplayRunner.Result result =
            claimed.state() == State.COUNTING
                ? runner.count(organization, claimed, now, this)
                : runner.execute(organization, claimed, now, this);
        finish(claimed, result.ranges(), result.counts(), null);
      } catch (ClaimLostException anothers) {
        LOG.info("Another instance works on the replay {}", id);
      } catch (ReplayFencedException anothers) {
        LOG.warn("Another replay of dead letters took over; {} goes on in a minute", id);
        postpone(AFTER_FENCE, false);
      } catch (ProblemException problem) {
        if (problem.code() == ErrorCode.CONFLICT) {
          finish(claimed, List.of(), List.of(), String.join(" ", problem.details()));
        } else {
          failed(claimed, problem);
        }
      } catch (RuntimeException fault) {
        LOG.error("The replay {} failed", id, fault);
        failed(claimed, fault);
      }
    }

    /** Tries again later, but not for ever. */
    private void failed(DeadLetterReplay claimed, RuntimeException failure) {
      LOG.warn("The replay {} is tried again: {}", id, failure.toString());
      if (postpone(AFTER_FAILURE, true) >= MAX_ATTEMPTS) {
        fail(
            claimed,
            "The topics could not be read or written. Replay again: what was put back is not put"
                + " back twice.");
      }
    }

    /** Null when there is nothing to do any more, or another instance does it. */
    private @Nullable DeadLetterReplay claim() {
      due.lock();
      Instant now = clock.instant();
      if (!due.due(now).contains(new CrossTenantReplays.Due(organization, id))) {
        return null;
      }
      claim = until(now);
      rows.claim(organization, id, claim);
      return rows.find(organization, id).orElse(null);
    }

    /** Nothing is reported before the claim. */
    private Instant held() {
      return Objects.requireNonNull(claim);
    }

    /** The database keeps microseconds, and the claim is recognised by its end. */
    private Instant until(Instant now) {
      return now.plus(CLAIM).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public void records(long read, long toRead) {
      Instant now = clock.instant();
      if (now.isBefore(reported.plus(REPORT))) {
        return;
      }
      Instant next = until(now);
      boolean isMine =
          transactions.within(
              organization, () -> rows.advance(organization, id, held(), next, read, toRead));
      if (!isMine) {
        throw new ClaimLostException();
      }
      claim = next;
      reported = now;
      advanced.run();
    }

    private int postpone(Duration wait, boolean isFailure) {
      Instant at = clock.instant().plus(wait).truncatedTo(ChronoUnit.MICROS);
      return transactions.within(
          organization, () -> rows.postpone(organization, id, held(), at, isFailure));
    }

    /** The claim was given back, and is taken once more for the last word. */
    private void fail(DeadLetterReplay claimed, String why) {
      claim = until(clock.instant());
      transactions.run(organization, () -> rows.claim(organization, id, held()));
      finish(claimed, claimed.ranges(), claimed.counts(), why);
    }

    private void finish(
        DeadLetterReplay claimed,
        List<OffsetRange> ranges,
        List<ReplayCount> counts,
        @Nullable String failure) {
      boolean isCounted = claimed.state() == State.COUNTING && failure == null;
      State state = failure != null ? State.FAILED : isCounted ? State.COUNTED : State.COMPLETED;
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      transactions.run(
          organization,
          () -> {
            DeadLetterReplay before = rows.find(organization, id).orElse(null);
            if (before == null) {
              return;
            }
            DeadLetterReplay done =
                new DeadLetterReplay(
                    id,
                    before.environment(),
                    state,
                    before.reasons(),
                    before.receivedFrom(),
                    before.receivedTo(),
                    before.createdAt(),
                    before.executedAt(),
                    isCounted ? null : now,
                    ranges,
                    counts,
                    failure == null ? before.recordsToRead() : before.recordsRead(),
                    before.recordsToRead(),
                    failure);
            boolean isMine = rows.finish(organization, done, held());
            // That something was counted changes nothing.
            if (isMine && claimed.state() == State.REPLAYING) {
              audit.done(
                  organization,
                  Actor.system("dead-letter-replay"),
                  failure == null ? "dead_letter_replay.complete" : "dead_letter_replay.fail",
                  TYPE,
                  id,
                  null,
                  done.outline());
            }
          });
    }
  }
}

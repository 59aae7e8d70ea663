package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.JdbcTransitions.TransitionPosition;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

/**
 * Transitions of an environment as a stream that others follow. A reader is given everything once,
 * in the order in which it became visible, also when two processes write.
 */
@Service
public class AlertTransitions implements DisposableBean {

  /** How long a reader may wait for something. */
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** Another process may have written something. */
  private static final Duration LOOK = Duration.ofMillis(250);

  /** Readers that wait hold a thread each; whoever is one too many is answered at once. */
  private static final int MAX_WAITING = 64;

  private static final Pattern PLACE = Pattern.compile("(\\d{1,18})\\.(\\d{1,19})");

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcTransitions rows;
  private final CrossTenantTransitions progress;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final Semaphore ending = new Semaphore(0);

  AlertTransitions(
      TenantTransactions transactions,
      Environments environments,
      JdbcTransitions rows,
      CrossTenantTransitions progress) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.progress = progress;
  }

  /**
   * What comes after a place; {@link Page#next} is always there.
   *
   * @param rule null for any
   * @param since null for any
   * @param wait for something to come, if there is nothing
   */
  public Page<RecordedTransition> follow(
      TenantId organization,
      String environment,
      @Nullable String rule,
      @Nullable Instant since,
      Duration wait,
      PageRequest page) {
    EnvironmentId environmentId = environments.get(organization, environment).id();
    if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "wait_seconds must be 0 to " + LONGEST_WAIT.toSeconds() + ".");
    }
    TransitionPosition place = place(page.after());
    Page<RecordedTransition> found =
        look(organization, environmentId, place, rule, since, page.limit());
    if (!found.items().isEmpty() || wait.isZero() || !waiting.tryAcquire()) {
      return found;
    }
    try {
      long end = System.nanoTime() + wait.toNanos();
      while (found.items().isEmpty() && System.nanoTime() < end && !pause()) {
        found = look(organization, environmentId, place, rule, since, page.limit());
      }
      return found;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return found;
    } finally {
      waiting.release();
    }
  }

  /** Whether the program ends. */
  private boolean pause() throws InterruptedException {
    boolean isEnding = ending.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    if (isEnding) {
      ending.release();
    }
    return isEnding;
  }

  private Page<RecordedTransition> look(
      TenantId organization,
      EnvironmentId environment,
      TransitionPosition place,
      @Nullable String rule,
      @Nullable Instant since,
      int most) {
    return transactions.within(
        organization,
        () -> {
          TransitionPosition settled = progress.settled();
          List<RecordedTransition> found =
              rows.after(organization, environment, place, settled, rule, since, most);
          String next =
              found.size() == most
                  ? found.get(found.size() - 1).place()
                  : later(place, settled).toString();
          return new Page<>(found, next);
        });
  }

  /** Everything that is settled was looked at. */
  private static TransitionPosition later(TransitionPosition place, TransitionPosition settled) {
    return settled.transaction() >= place.transaction() ? settled : place;
  }

  private static TransitionPosition place(String text) {
    if (text.isEmpty()) {
      return TransitionPosition.BEGINNING;
    }
    Matcher place = PLACE.matcher(text);
    try {
      if (place.matches()) {
        return new TransitionPosition(
            Long.parseLong(place.group(1)), Long.parseLong(place.group(2)));
      }
    } catch (NumberFormatException tooGreat) {
      // Refused below.
    }
    throw ProblemException.of(
        ErrorCode.INVALID_REQUEST,
        "cursor is not one that this stream gave out. Take it from meta.next_cursor, or leave it"
            + " out.");
  }

  @Override
  public void destroy() {
    ending.release();
  }
}

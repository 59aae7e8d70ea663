package io.tidemark.platform.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Writes what senders say of metrics beside what was seen of them. What was written is remembered,
 * so that a description that comes with every batch costs a look into memory. A metric whose rows
 * are not committed yet has no place for one: it is written when it is sent again half a minute
 * later. Of descriptions that differ the latest holds, and changes every ten minutes at most.
 */
@Component
@ConditionalOnRole(ProcessRole.INGEST)
public class DescriptionRecorder implements SmartLifecycle {

  static final int MAX_LETTERS = 1_024;
  static final int MAX_WAITING = 10_000;
  static final int AT_A_TIME = 500;
  static final Duration AGAIN_UNSEEN = Duration.ofSeconds(30);
  static final Duration AGAIN_CHANGED = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(DescriptionRecorder.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int REMEMBERED = 200_000;
  private static final int LONGEST_NAME = 255;

  /** PostgreSQL takes no NUL, and a line of HELP has no others. */
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");

  /** Whether there was a metric to write it to. */
  @FunctionalInterface
  interface Writer {
    boolean describe(
        TenantId organization, EnvironmentId environment, String name, String description);
  }

  private record Key(TenantId organization, EnvironmentId environment, String name) {}

  /**
   * What was heard last.
   *
   * @param againAt milliseconds from when something else is heard
   */
  private record RecordedDescription(int hash, boolean isWritten, long againAt) {}

  /** Rows are locked in the order in which sightings are. */
  private static final Comparator<Key> ORDER =
      Comparator.<Key, String>comparing(key -> key.environment().value()).thenComparing(Key::name);

  private final TenantTransactions transactions;
  private final Writer rows;
  private final Clock clock;

  /** Forgets after an hour, so that what somebody deleted comes back when it is sent again. */
  private final Cache<Key, RecordedDescription> heard =
      Caffeine.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(Duration.ofHours(1)).build();

  private final Map<Key, String> waiting = new ConcurrentHashMap<>();
  private volatile @Nullable ScheduledExecutorService thread;
  private boolean failing;

  @Autowired
  DescriptionRecorder(TenantTransactions transactions, JdbcSightings rows, Clock clock) {
    this(transactions, (Writer) rows::describe, clock);
  }

  DescriptionRecorder(TenantTransactions transactions, Writer rows, Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
  }

  /**
   * Takes in descriptions without waiting for anything. While too many wait to be written, further
   * ones are left to the next batch that brings them.
   *
   * @param descriptions by name of metric
   */
  public void sent(
      TenantId organization, EnvironmentId environment, Map<String, String> descriptions) {
    long now = clock.millis();
    descriptions.forEach(
        (name, description) -> {
          Key key = new Key(organization, environment, name);
          RecordedDescription before = heard.getIfPresent(key);
          int hash = description.hashCode();
          boolean isNew =
              before == null
                  || ((before.hash() != hash || !before.isWritten()) && now >= before.againAt());
          if (isNew && name.length() <= LONGEST_NAME && waiting.size() < MAX_WAITING) {
            heard.put(key, new RecordedDescription(hash, false, now + AGAIN_UNSEEN.toMillis()));
            waiting.put(key, description);
          }
        });
  }

  /** Writes some of what waits. */
  void write() {
    Map<TenantId, Map<Key, String>> some = taken();
    some.forEach(
        (organization, descriptions) -> {
          List<Key> written = new ArrayList<>();
          try {
            transactions.run(
                organization,
                () ->
                    descriptions.forEach(
                        (key, description) -> {
                          if (rows.describe(
                              organization, key.environment(), key.name(), plain(description))) {
                            written.add(key);
                          }
                        }));
            failing = false;
          } catch (RuntimeException failure) {
            if (!failing) {
              LOG.warn(
                  "Descriptions of metrics cannot be written now; they come again with later batches: {}",
                  failure.toString());
            }
            // They come again with a later batch.
            failing = true;
            return;
          }
          long again = clock.millis() + AGAIN_CHANGED.toMillis();
          written.forEach(
              key ->
                  heard.put(
                      key,
                      new RecordedDescription(
                          Objects.requireNonNull(descriptions.get(key)).hashCode(), true, again)));
        });
  }

  private Map<TenantId, Map<Key, String>> taken() {
    Map<TenantId, Map<Key, String>> some = new TreeMap<>(Comparator.comparing(TenantId::value));
    int number = 0;
    for (Key key : waiting.keySet()) {
      if (number++ == AT_A_TIME) {
        break;
      }
      String description = waiting.remove(key);
      if (description != null) {
        some.computeIfAbsent(key.organization(), unknown -> new TreeMap<>(ORDER))
            .put(key, description);
      }
    }
    return some;
  }

  /** One line of at most so many letters. */
  static String plain(String description) {
    String line = BLANKS.matcher(description).replaceAll(" ").strip();
    if (line.length() <= MAX_LETTERS) {
      return line;
    }
    int end = Character.isHighSurrogate(line.charAt(MAX_LETTERS - 1)) ? 1 : 0;
    return line.substring(0, MAX_LETTERS - end);
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "descriptions"));
    var unused =
        thread.scheduleWithFixedDelay(
            this::write, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What waits comes with a batch to another process, or to this one when it is back. */
  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdown();
    thread = null;
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}

package io.tidemark.platform.replicas;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Hears PostgreSQL's notifications of changed rows over one connection of its own. While there is
 * none, what is remembered holds until it expires; when there is one again, everything is asked for
 * anew, because what was notified in between is lost.
 */
@Component
class RowChangeListener implements SmartLifecycle {

  /** Operators find the connection by it in {@code pg_stat_activity}. */
  static final String APPLICATION = "tidemark-row-changes";

  private static final Logger LOG = LoggerFactory.getLogger(RowChangeListener.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** After so long without a notification the connection is tried. */
  private static final Duration QUIET = Duration.ofSeconds(5);

  private static final int ANSWERS_WITHIN_SECONDS = 3;

  private final RowChanges changes;
  private final HikariDataSource controlPlane;
  private volatile @Nullable ScheduledExecutorService thread;
  private volatile @Nullable Connection connection;
  private boolean failing;

  RowChangeListener(RowChanges changes, DataSource controlPlane) throws SQLException {
    this.changes = changes;
    this.controlPlane = controlPlane.unwrap(HikariDataSource.class);
  }

  /** Doors open after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "row-changes"));
    var unused =
        thread.scheduleWithFixedDelay(this::listen, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns when the connection is lost. */
  private void listen() {
    try (Connection own = connect()) {
      connection = own;
      try (Statement statement = own.createStatement()) {
        statement.execute("LISTEN tidemark_row_changes");
      }
      changes.everythingMayHaveChanged();
      failing = false;
      PGConnection notified = own.unwrap(PGConnection.class);
      while (isRunning()) {
        PGNotification[] heard = notified.getNotifications((int) QUIET.toMillis());
        if (heard != null && heard.length > 0) {
          for (PGNotification notification : heard) {
            changes.changed(notification.getParameter());
          }
        } else if (!own.isValid(ANSWERS_WITHIN_SECONDS)) {
          throw new SQLException("The connection does not answer");
        }
      }
    } catch (SQLException | RuntimeException failure) {
      if (!failing && isRunning()) {
        LOG.warn(
            "Changes of keys and quotas are not heard at once, but seen after some seconds: {}",
            failure.toString());
      }
      failing = true;
    } finally {
      connection = null;
    }
  }

  private Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.putAll(controlPlane.getDataSourceProperties());
    settings.setProperty("user", controlPlane.getUsername());
    settings.setProperty("password", controlPlane.getPassword());
    settings.setProperty("ApplicationName", APPLICATION);
    settings.putIfAbsent("connectTimeout", "5");
    settings.putIfAbsent("loginTimeout", "5");
    return DriverManager.getConnection(controlPlane.getJdbcUrl(), settings);
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
    Connection open = connection;
    if (open != null) {
      try {
        // It waits for the server: only the end of the connection wakes it.
        open.abort(Runnable::run);
      } catch (SQLException failure) {
        LOG.debug("The listening connection ends with the process", failure);
      }
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}

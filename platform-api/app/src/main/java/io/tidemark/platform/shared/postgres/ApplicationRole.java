package io.tidemark.platform.shared.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.postgresql.PGConnection;
import org.springframework.stereotype.Component;

/**
 * Lets the role that the migrations made log in with the configured password. Runs after every
 * migration, with the owner's connection; when the password is right already it changes nothing, so
 * an owner without the right to alter roles is enough from then on.
 */
@Component
class ApplicationRole implements Callback {

  /** The role that everything but migrations runs as. Named in migrations too. */
  static final String NAME = "tidemark_application";

  private final DatabaseProperties database;

  ApplicationRole(DatabaseProperties database) {
    this.database = database;
  }

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_MIGRATE;
  }

  @Override
  public boolean canHandleInTransaction(Event event, Context context) {
    return true;
  }

  @Override
  public String getCallbackName() {
    return "application-role";
  }

  @Override
  public void handle(Event event, Context context) {
    if (canLogIn()) {
      return;
    }
    try {
      letLogIn(context.getConnection());
    } catch (SQLException refused) {
      // Another instance may have been faster.
      if (!canLogIn()) {
        throw new IllegalStateException(
            "The database role "
                + NAME
                + " cannot log in with TIDEMARK_POSTGRES_APPLICATION_PASSWORD, and "
                + database.user()
                + " may not change that. Let a database administrator set the role's password.",
            refused);
      }
    }
  }

  private boolean canLogIn() {
    try (Connection connection =
        DriverManager.getConnection(database.url(), NAME, database.applicationPassword())) {
      return connection.isValid(2);
    } catch (SQLException refused) {
      return false;
    }
  }

  /** The password is hashed here, so that no statement, and no log of statements, holds it. */
  private void letLogIn(Connection owner) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      statement.execute("ALTER ROLE " + NAME + " LOGIN");
    }
    owner
        .unwrap(PGConnection.class)
        .alterUserPassword(NAME, database.applicationPassword().toCharArray(), "scram-sha-256");
  }
}

package io.tidemark.flink.lake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * The role in PostgreSQL that reads the catalog and cannot write to it: whoever answers queries
 * uses it, so that no fault of theirs can move a table.
 */
final class CatalogReaderRole {

  /** As {@code infra/postgres/catalog-reader.sql} names it. */
  static final String NAME = "tidemark_catalog_reader";

  private final String catalog;
  private final String owner;
  private final String ownerPassword;

  /**
   * Nothing is connected yet.
   *
   * @param catalog jdbc:postgresql://host:port/database
   */
  CatalogReaderRole(String catalog, String owner, String ownerPassword) {
    this.catalog = catalog;
    this.owner = owner;
    this.ownerPassword = ownerPassword;
  }

  /**
   * Runs the statements of a file, and lets the role log in. A password that is right already is
   * not set again, so an owner without the right to alter roles is enough from then on.
   */
  void letRead(Path file, String password) throws IOException, SQLException {
    String statements = Files.readString(file);
    try (Connection connection = DriverManager.getConnection(catalog, owner, ownerPassword);
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
      if (!canLogIn(password)) {
        // Hashed here, so that no statement, and no log of statements, holds it.
        connection
            .unwrap(PGConnection.class)
            .alterUserPassword(NAME, password.toCharArray(), "scram-sha-256");
      }
    }
  }

  private boolean canLogIn(String password) {
    try (Connection connection = DriverManager.getConnection(catalog, NAME, password)) {
      return connection.isValid(2);
    } catch (SQLException refused) {
      return false;
    }
  }
}

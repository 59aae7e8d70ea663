package io.tidemark.flink.replay;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/** The SQL engine in this process: reads Parquet and rows, sorts and joins beyond memory. */
final class DuckDbSession {

  private DuckDbSession() {}

  /**
   * @param overflow folder for what does not fit into memory
   */
  static Connection open(Path overflow) throws SQLException {
    Properties settings = new Properties();
    // Rows are handed out while the query runs, not after it.
    settings.setProperty("jdbc_stream_results", "true");
    Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set temp_directory = " + text(overflow.toString()));
      statement.execute("set memory_limit = '512MB'");
      statement.execute("set threads = 2");
    }
    return connection;
  }

  /** A text literal. */
  static String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A list of text literals. */
  static String texts(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(DuckDbSession::text).toList()) + "]";
  }
}

package io.tidemark.platform.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A real PostgreSQL, laid out as an operator would: the owner of the schema is no superuser. Tests
 * look at rows as the superuser, whom row-level security does not bind.
 */
public final class TestingDatabase implements AutoCloseable {

  public static final String OWNER = "tidemark_owner";

  private final EmbeddedPostgres postgres;

  public TestingDatabase() {
    try {
      postgres = EmbeddedPostgres.builder().start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    JdbcClient server = JdbcClient.create(postgres.getPostgresDatabase());
    server.sql("CREATE ROLE " + OWNER + " LOGIN CREATEROLE PASSWORD 'owner'").update();
    create("tidemark");
  }

  /** Makes a further, empty database of the owner. */
  public void create(String name) {
    JdbcClient.create(postgres.getPostgresDatabase())
        .sql("CREATE DATABASE " + name + " OWNER " + OWNER)
        .update();
  }

  /** JDBC address of a database, without a user. */
  public String url(String name) {
    return "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + name;
  }

  /** A database as the superuser sees it. */
  public JdbcClient asSuperuser(String name) {
    return JdbcClient.create(postgres.getDatabase("postgres", name));
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}

package io.tidemark.platform.signin.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.RunningPlatform;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;

/** The sessions of a person are whole, however the database joins their attributes. */
@ExtendWith(RunningPlatform.Extension.class)
class SessionsOfPersonIT {
  private static final String PERSON = "person-with-two-browsers";

  private final RunningPlatform platform;

  SessionsOfPersonIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void sessionsWithInterleavedAttributesAreWhole() throws Exception {
    try (Connection connection = platform.bean(DataSource.class).getConnection()) {
      SingleConnectionDataSource single = new SingleConnectionDataSource(connection, true);
      JdbcTemplate jdbc = new JdbcTemplate(single);
      FindByIndexNameSessionRepository<? extends Session> sessions =
          new SessionConfiguration()
              .sessionRepository(jdbc, new DataSourceTransactionManager(single));
      try {
        interleave(sessions);
        // What PostgreSQL does by itself once it knows that the tables are large.
        jdbc.execute("SET enable_nestloop = off");
        jdbc.execute("SET enable_mergejoin = off");

        assertThat(sessions.findByPrincipalName(PERSON).values())
            .hasSize(2)
            .allSatisfy(
                session ->
                    assertThat(session.getAttributeNames()).contains("first", "second", "third"));
      } finally {
        jdbc.execute("RESET ALL");
        sessions.findByPrincipalName(PERSON).keySet().forEach(sessions::deleteById);
      }
    }
  }

  private static <S extends Session> void interleave(FindByIndexNameSessionRepository<S> sessions) {
    S here = sessions.createSession();
    S there = sessions.createSession();
    here.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, PERSON);
    there.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, PERSON);
    for (String name : new String[] {"first", "second", "third"}) {
      here.setAttribute(name, name);
      sessions.save(here);
      there.setAttribute(name, name);
      sessions.save(there);
    }
  }
}

package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;

/**
 * Makes the rights of the broker's users equal {@code infra/kafka/users.yaml}: gives what is
 * missing and takes back what these users have besides. Users that the file does not name are left
 * alone.
 */
final class KafkaUsers {
  private static final String FILE = "kafka/users.yaml";

  private KafkaUsers() {}

  /** What something is that a right is about. */
  enum Kind {
    TOPIC,
    GROUP,
    TRANSACTIONAL_ID
  }

  /** What a right lets its user do; each includes to look. */
  enum Operation {
    READ,
    WRITE,
    DESCRIBE
  }

  /**
   * One right.
   *
   * @param isPrefix whether it is about everything whose name begins so
   */
  record Right(String user, Kind kind, String name, boolean isPrefix, Operation operation) {
    @Override
    public String toString() {
      return "%s %s %s %s%s"
          .formatted(user, operation, kind, name, isPrefix ? "*" : "")
          .toLowerCase(Locale.ROOT);
    }
  }

  /** Rights as a broker keeps them. */
  interface RightStore {
    /** Those of some users. */
    Set<Right> of(Set<String> users) throws InterruptedException, ExecutionException;

    void give(Set<Right> rights) throws InterruptedException, ExecutionException;

    void take(Set<Right> rights) throws InterruptedException, ExecutionException;
  }

  static Set<Right> read(InfraFiles files) {
    Set<Right> rights = new LinkedHashSet<>();
    for (JsonNode user : files.yamlList(FILE, "users")) {
      String name = user.path("name").asText();
      if (name.isBlank()) {
        throw ProvisionFailure.input("infra/" + FILE + ": a user has no name.");
      }
      add(rights, name, Kind.TOPIC, user.path("reads"), Operation.READ);
      add(rights, name, Kind.TOPIC, user.path("writes"), Operation.WRITE);
      add(rights, name, Kind.GROUP, user.path("groups"), Operation.READ);
      add(rights, name, Kind.GROUP, user.path("watches_groups"), Operation.DESCRIBE);
      add(rights, name, Kind.TRANSACTIONAL_ID, user.path("transactions"), Operation.WRITE);
    }
    return rights;
  }

  private static void add(
      Set<Right> rights, String user, Kind kind, JsonNode names, Operation operation) {
    for (JsonNode each : names) {
      String name = each.asText();
      boolean isPrefix = name.endsWith("*");
      rights.add(
          new Right(
              user,
              kind,
              isPrefix ? name.substring(0, name.length() - 1) : name,
              isPrefix,
              operation));
    }
  }

  static Set<String> names(Set<Right> rights) {
    Set<String> names = new TreeSet<>();
    rights.forEach(right -> names.add(right.user()));
    return names;
  }

  static StepReport apply(Set<Right> wanted, RightStore store)
      throws InterruptedException, ExecutionException {
    Set<Right> present = store.of(names(wanted));
    Set<Right> missing = new LinkedHashSet<>(wanted);
    missing.removeAll(present);
    Set<Right> besides = new LinkedHashSet<>(present);
    besides.removeAll(wanted);
    if (!missing.isEmpty()) {
      store.give(missing);
    }
    List<String> changes = new ArrayList<>();
    if (!besides.isEmpty()) {
      store.take(besides);
      besides.forEach(right -> changes.add("had the right " + right));
    }
    return StepReport.of(missing.size(), changes);
  }
}

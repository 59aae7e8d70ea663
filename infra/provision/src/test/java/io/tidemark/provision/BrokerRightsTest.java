package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provision.KafkaUsers.Kind;
import io.tidemark.provision.KafkaUsers.Operation;
import io.tidemark.provision.KafkaUsers.Right;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker that knows users. */
class BrokerRightsTest {
  private static final InfraFiles FILES =
      new InfraFiles(Path.of("../..").toAbsolutePath().normalize());

  @TempDir private Path folder;

  @Test
  void rightsBecomeThoseOfTheFileAndWhatUsersHaveBesidesIsTaken() throws Exception {
    Set<Right> declared = KafkaUsers.read(FILES);
    Set<String> users = KafkaUsers.names(declared);
    try (TestingBroker broker =
            new TestingBroker(
                folder,
                Map.of(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "super.users",
                    "User:ANONYMOUS"));
        BrokerRights rights = new BrokerRights(EngineAccess.OPEN.kafka(broker.address()));
        Admin admin = Admin.create(EngineAccess.OPEN.kafka(broker.address()))) {
      assertThat(KafkaUsers.apply(declared, rights).summary())
          .isEqualTo(declared.size() + " created");
      admin
          .createAcls(
              Set.of(
                  new AclBinding(
                      new ResourcePattern(
                          ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL),
                      new AccessControlEntry(
                          "User:lake", "*", AclOperation.ALTER, AclPermissionType.ALLOW))))
          .all()
          .get();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      // What the controller took is told by the broker a moment later.
      while (rights.of(users).size() != declared.size() + 1) {
        assertThat(System.nanoTime()).as("30 s without the right").isLessThan(deadline);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(KafkaUsers.apply(declared, rights).changes()).hasSize(1);
      while (!rights.of(users).equals(declared)) {
        assertThat(System.nanoTime()).as("30 s with the right").isLessThan(deadline);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(rights.of(Set.of("druid")))
          .contains(
              new Right("druid", Kind.TOPIC, "telemetry.rollup-1m.v1", false, Operation.READ));
    }
  }
}

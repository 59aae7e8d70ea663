package io.tidemark.provision;

import io.tidemark.provision.KafkaUsers.Kind;
import io.tidemark.provision.KafkaUsers.Operation;
import io.tidemark.provision.KafkaUsers.Right;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/** The rights that a Kafka cluster keeps. Not for several threads. */
final class BrokerRights implements KafkaUsers.RightStore, AutoCloseable {
  private static final String PRINCIPAL = "User:";

  private final Admin admin;
  private final Map<Right, AclBinding> known = new LinkedHashMap<>();

  BrokerRights(Map<String, Object> client) {
    this.admin = Admin.create(client);
  }

  @Override
  public Set<Right> of(Set<String> users) throws InterruptedException, ExecutionException {
    known.clear();
    for (String user : users) {
      AclBindingFilter filter =
          new AclBindingFilter(
              ResourcePatternFilter.ANY,
              new AccessControlEntryFilter(
                  PRINCIPAL + user, null, AclOperation.ANY, AclPermissionType.ANY));
      Collection<AclBinding> bindings = admin.describeAcls(filter).values().get();
      for (AclBinding binding : bindings) {
        known.put(right(user, binding), binding);
      }
    }
    return Set.copyOf(known.keySet());
  }

  /** What this program does not write itself is told apart by its name, so that it is taken. */
  private static Right right(String user, AclBinding binding) {
    ResourcePattern pattern = binding.pattern();
    boolean isOurs =
        binding.entry().permissionType() == AclPermissionType.ALLOW
            && binding.entry().host().equals("*")
            && pattern.resourceType() != ResourceType.CLUSTER
            && pattern.resourceType() != ResourceType.DELEGATION_TOKEN
            && pattern.resourceType() != ResourceType.USER
            && Set.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE)
                .contains(binding.entry().operation());
    if (!isOurs) {
      return new Right(user, Kind.TOPIC, binding.toString(), false, Operation.DESCRIBE);
    }
    return new Right(
        user,
        Kind.valueOf(pattern.resourceType().name()),
        pattern.name(),
        pattern.patternType() == PatternType.PREFIXED,
        Operation.valueOf(binding.entry().operation().name()));
  }

  @Override
  public void give(Set<Right> rights) throws InterruptedException, ExecutionException {
    admin.createAcls(rights.stream().map(BrokerRights::binding).toList()).all().get();
  }

  private static AclBinding binding(Right right) {
    return new AclBinding(
        new ResourcePattern(
            ResourceType.valueOf(right.kind().name()),
            right.name(),
            right.isPrefix() ? PatternType.PREFIXED : PatternType.LITERAL),
        new AccessControlEntry(
            PRINCIPAL + right.user(),
            "*",
            AclOperation.valueOf(right.operation().name()),
            AclPermissionType.ALLOW));
  }

  @Override
  public void take(Set<Right> rights) throws InterruptedException, ExecutionException {
    admin
        .deleteAcls(rights.stream().map(right -> known.get(right).toFilter()).toList())
        .all()
        .get();
  }

  @Override
  public void close() {
    admin.close();
  }
}

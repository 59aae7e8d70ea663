package io.tidemark.platform.notification;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.PublicAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Where people see the incidents of an environment. */
@Component
class IncidentLinks {

  private final ObjectProvider<PublicAddress> address;

  IncidentLinks(ObjectProvider<PublicAddress> address) {
    this.address = address;
  }

  /** Null where there is no console to sign in to. */
  @Nullable String incidents(TenantId organization, EnvironmentId environment) {
    PublicAddress known = address.getIfAvailable();
    return known == null
        ? null
        : known.origin() + "/o/" + organization.value() + "/e/" + environment.value() + "/alerts";
  }
}

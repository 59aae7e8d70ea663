package io.tidemark.platform.alerting;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.Environments;
import io.tidemark.platform.tenancy.LifecycleState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Enables packs for the platform's own organisation when the program starts, each version once:
 * what an operator deletes or changes stays so until there is a newer one.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class OwnAlertPacks {

  private static final Logger LOG = LoggerFactory.getLogger(OwnAlertPacks.class);
  private static final Actor ACTOR = Actor.system("alert-packs");

  private final Environments environments;
  private final AlertPacks packs;
  private final AlertingProperties properties;

  OwnAlertPacks(Environments environments, AlertPacks packs, AlertingProperties properties) {
    this.environments = environments;
    this.packs = packs;
    this.properties = properties;
  }

  @EventListener(ApplicationReadyEvent.class)
  void enable() {
    try {
      for (Environment environment :
          environments.list(TenantId.PLATFORM, new PageRequest(PageRequest.MAX, "")).items()) {
        if (environment.state() == LifecycleState.ACTIVE) {
          for (String name : properties.ownPacks()) {
            packs.enableOnce(TenantId.PLATFORM, ACTOR, environment.id(), name);
          }
        }
      }
    } catch (RuntimeException failure) {
      LOG.warn(
          "The platform's own alert packs are not enabled; the next start tries again: {}",
          failure.toString());
    }
  }
}

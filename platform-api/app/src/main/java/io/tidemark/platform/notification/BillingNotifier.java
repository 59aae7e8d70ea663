package io.tidemark.platform.notification;

import io.tidemark.platform.billing.BillingNotice;
import io.tidemark.platform.billing.NoticeReceivers;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.TenantId;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Keeps a message of a bill for every integration that the organisation named for it, in the
 * transaction that writes down what happened.
 */
@Component
class BillingNotifier implements NoticeReceivers {

  private final JdbcIntegrations integrations;
  private final DeliveryQueue queue;

  BillingNotifier(JdbcIntegrations integrations, DeliveryQueue queue) {
    this.integrations = integrations;
    this.queue = queue;
  }

  @Override
  public boolean exists(TenantId organization, String integration) {
    return integrations.find(organization, integration).isPresent();
  }

  @EventListener
  void notify(BillingNotice notice) {
    for (String id : notice.integrations()) {
      integrations
          .find(notice.organization(), id)
          .filter(integration -> integration.definition().enabled())
          .ifPresent(integration -> keep(notice, integration));
    }
  }

  private void keep(BillingNotice notice, Integration integration) {
    var unused =
        queue.add(
            notice.organization(),
            integration,
            new Message(
                notice.organization(),
                integration.environment().value(),
                notice.type(),
                notice.eventId(),
                notice.at(),
                null,
                notice),
            notice.at());
  }
}

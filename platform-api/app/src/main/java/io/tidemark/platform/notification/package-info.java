/**
 * Tells others of incidents and bills: signed webhooks, and the payloads of services that people
 * use.
 *
 * <p>Words: an <em>integration</em> is an address and whom it concerns. A <em>delivery</em> is one
 * message to one integration, kept in the transaction of what it tells of and tried until it is
 * taken; its identifier is the same in every <em>attempt</em>. Deliveries of a <em>group</em> share
 * messages, which are written down before they are sent. Messages of one incident arrive in their
 * order; an integration that fails is tried by one message at a time and delays no other. It does
 * not own incidents. Flat. Guarded by {@code WebhookDeliveriesIT}, {@code GroupedMessagesIT},
 * {@code AddressPolicyTest} and {@code WebhookSignatureTest}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "loops",
      "audit",
      "tenancy",
      "alerting",
      "signin",
      "access",
      "billing",
      "usage"
    })
@NullMarked
package io.tidemark.platform.notification;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

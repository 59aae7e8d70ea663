package io.tidemark.platform.notification;

/** Says that the running transaction keeps a message; whoever delivers looks when it commits. */
record DeliveryQueued() {}

/** Integrations and their deliveries over HTTP. */
package io.tidemark.platform.notification.web;

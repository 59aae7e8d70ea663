/** Integrations and their deliveries over HTTP. */
@NullMarked
package io.tidemark.platform.notification.web;

import org.jspecify.annotations.NullMarked;

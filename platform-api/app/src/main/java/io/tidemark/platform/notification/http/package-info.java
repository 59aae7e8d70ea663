/** Messages leave by HTTP, to public addresses only. */
package io.tidemark.platform.notification.http;

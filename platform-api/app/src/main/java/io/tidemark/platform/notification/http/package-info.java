/** Messages leave by HTTP, to public addresses only. */
@NullMarked
package io.tidemark.platform.notification.http;

import org.jspecify.annotations.NullMarked;

/** What the topic control.tenants.v1 says of environments. */
@NullMarked
package io.tidemark.platform.tenancy.kafka;

import org.jspecify.annotations.NullMarked;

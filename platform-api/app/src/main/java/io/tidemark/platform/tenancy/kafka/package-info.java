/** What the topic control.tenants.v1 says of environments. */
package io.tidemark.platform.tenancy.kafka;

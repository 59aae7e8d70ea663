/** Native Druid queries as JSON trees, and their answers. */
package io.tidemark.platform.query.druid;

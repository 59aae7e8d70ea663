/** Retention over HTTP. */
package io.tidemark.platform.retention.web;

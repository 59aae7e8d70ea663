/** Quotas over HTTP. */
package io.tidemark.platform.quotas.web;

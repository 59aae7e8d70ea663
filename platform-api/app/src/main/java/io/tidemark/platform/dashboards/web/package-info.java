/** Dashboards over HTTP. */
package io.tidemark.platform.dashboards.web;

/** The generated interface of Prometheus' contract, implemented. */
package io.tidemark.platform.promql.web;

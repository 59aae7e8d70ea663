/** Cardinality of the control API. */
package io.tidemark.platform.cardinality.web;

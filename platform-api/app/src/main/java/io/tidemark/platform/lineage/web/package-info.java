/** Lineage of the control API. */
package io.tidemark.platform.lineage.web;

/** Sizing of the control API. */
package io.tidemark.platform.sizing.web;

/** The console's one operation of the control API. */
package io.tidemark.platform.console.web;

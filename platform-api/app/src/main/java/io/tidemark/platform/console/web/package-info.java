/** The console's one operation of the control API. */
@NullMarked
package io.tidemark.platform.console.web;

import org.jspecify.annotations.NullMarked;

/** The program behind {@code make sizing}. */
@NullMarked
package io.tidemark.platform.sizing.command;

import org.jspecify.annotations.NullMarked;

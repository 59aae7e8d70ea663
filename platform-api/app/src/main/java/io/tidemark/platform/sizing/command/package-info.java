/** The program behind {@code make sizing}. */
package io.tidemark.platform.sizing.command;

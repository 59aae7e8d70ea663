/**
 * How each engine is started on this machine: command, addresses, folders and memory. What an
 * engine does stands in {@code infra/<engine>}; nothing here changes behaviour.
 */
@NullMarked
package io.tidemark.stack.engine;

import org.jspecify.annotations.NullMarked;

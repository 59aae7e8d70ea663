/** Use cases of access, and the questions they ask of storage. No framework. */
@NullMarked
package io.tidemark.platform.access.application;

import org.jspecify.annotations.NullMarked;

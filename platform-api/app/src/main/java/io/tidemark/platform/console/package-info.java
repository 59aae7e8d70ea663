/**
 * The web console's files, and what they need to know of this installation.
 *
 * <p>Serves the built files of {@code web-console} below {@code /console/}; every other path there
 * is a page of the console and answers with its one document. It decides nothing and stores
 * nothing: the console calls the same APIs as everybody, with the session of a person. Guarded by
 * {@code ConsoleFilesIT}.
 */
@ApplicationModule(allowedDependencies = {"shared"})
@NullMarked
package io.tidemark.platform.console;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

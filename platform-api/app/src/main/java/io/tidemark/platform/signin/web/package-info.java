/** What stands between browsers and the application, and the pages on the way in. */
@NullMarked
package io.tidemark.platform.signin.web;

import org.jspecify.annotations.NullMarked;

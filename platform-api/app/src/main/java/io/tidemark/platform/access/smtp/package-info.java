/** Invitations by mail, over a server of the installation's own. */
@NullMarked
package io.tidemark.platform.access.smtp;

import org.jspecify.annotations.NullMarked;

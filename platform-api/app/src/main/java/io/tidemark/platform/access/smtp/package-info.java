/** Invitations by mail, over a server of the installation's own. */
package io.tidemark.platform.access.smtp;

/** The audit log over HTTP. */
package io.tidemark.platform.audit.web;

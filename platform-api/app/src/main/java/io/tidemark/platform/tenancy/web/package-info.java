/** Organisations and environments over HTTP. */
package io.tidemark.platform.tenancy.web;

/** What the HTTP APIs have in common: how problems look and how much body is read. */
package io.tidemark.platform.shared.web;

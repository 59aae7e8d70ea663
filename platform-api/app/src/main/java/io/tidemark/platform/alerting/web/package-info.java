/** Alert rules and incidents over HTTP. */
package io.tidemark.platform.alerting.web;

/** How problems look on the HTTP port of the APIs: the error shape of the Metrics API contract. */
package io.tidemark.platform.shared.web;

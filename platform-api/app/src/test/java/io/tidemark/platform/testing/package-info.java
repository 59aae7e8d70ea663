/** Doubles and the running application for tests; doubles are written by hand. */
package io.tidemark.platform.testing;

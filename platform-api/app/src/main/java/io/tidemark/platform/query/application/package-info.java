/** Planning and running a query, and the question it asks of the store. No framework. */
package io.tidemark.platform.query.application;

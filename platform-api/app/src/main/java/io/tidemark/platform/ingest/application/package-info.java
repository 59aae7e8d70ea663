/** The one way in for every protocol, and the questions it asks of the world. No framework. */
package io.tidemark.platform.ingest.application;

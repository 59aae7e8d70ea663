/** Use cases of access, and the questions they ask of storage. No framework. */
package io.tidemark.platform.access.application;

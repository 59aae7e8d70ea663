/** What several rooms use: the running stack, plain senders and readers, waiting, the ledger. */
package io.tidemark.pipeline.support;

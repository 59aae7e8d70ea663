package io.tidemark.platform.outbox;

/** A control record was changed in the running transaction. */
record ControlRecordChanged() {}

package io.tidemark.platform.deletion;

/** Tells the lake's committer which rows are to be removed. */
public interface LakeDeletionPublisher {

  /** Joins the running transaction of the organisation: told when, and only when, it commits. */
  void remove(DataDeletion removal);

  /** Nothing more is to be done; as above. */
  void isDone(DataDeletion removal);
}

package io.tidemark.platform.removal;

/** Tells the lake's committer which rows are to be removed. */
public interface TellLake {

  /** Joins the running transaction of the organisation: told when, and only when, it commits. */
  void remove(Removal removal);

  /** Nothing more is to be done; as above. */
  void isDone(Removal removal);
}

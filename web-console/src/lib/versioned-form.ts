import { useState, type Dispatch, type SetStateAction } from "react";

/** What a person types, and the version that it began from. */
export interface VersionedForm<T> {
  text: T;
  put: Dispatch<SetStateAction<T>>;
  /** Of the version that the text began from, for If-Match. */
  etag: string;
  isChanged: boolean;
  /** Another version was read while something was typed; the text and its etag stayed. */
  isOutdated: boolean;
  /** Begins from a version: the one that was saved, or the newest. */
  begin: (text: T, etag: string) => void;
}

/** Follows newer versions until something is typed. */
export function useVersionedForm<T>(newest: T, etag: string): VersionedForm<T> {
  const [start, setStart] = useState({ text: newest, etag });
  const [text, put] = useState(newest);
  const [seen, setSeen] = useState(etag);
  const [isOutdated, setOutdated] = useState(false);
  const isChanged = JSON.stringify(text) !== JSON.stringify(start.text);
  const begin = (from: T, of: string) => {
    setStart({ text: from, etag: of });
    put(from);
    setOutdated(false);
  };
  // While rendering, so that no older text is painted.
  if (etag !== seen) {
    setSeen(etag);
    if (etag !== start.etag) {
      if (isChanged) setOutdated(true);
      else begin(newest, etag);
    }
  }
  return { text, put, etag: start.etag, isChanged, isOutdated, begin };
}

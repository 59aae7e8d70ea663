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
  takeNewest: () => void;
  /** Begins from the version that a save made. What was typed after the text was sent stays. */
  saved: (sent: T, text: T, etag: string) => void;
}

/** Follows newer versions until something is typed. */
export function useVersionedForm<T>(newest: T, etag: string): VersionedForm<T> {
  const [text, put] = useState(newest);
  const [start, setStart] = useState({ text: newest, etag, replaced: etag });
  const isChanged = !isSame(text, start.text);
  // The version that a save replaced is read once more when that read is late; it is not newer.
  const isNewer = etag !== start.etag && etag !== start.replaced;
  const takeNewest = () => {
    setStart({ text: newest, etag, replaced: etag });
    put(newest);
  };
  const saved = (sent: T, stored: T, of: string) => {
    setStart((before) => ({ text: stored, etag: of, replaced: before.etag }));
    put((now) => (isSame(now, sent) ? stored : now));
  };
  // While rendering, so that no older text is painted.
  if (isNewer && !isChanged) takeNewest();
  return { text, put, etag: start.etag, isChanged, isOutdated: isNewer && isChanged, takeNewest, saved };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

import { useRef } from "react";

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
}

export interface LastAnswer<T> {
  data: T | undefined;
  /** When the data were read; 0 while none are. */
  readAt: number;
  /** Why the newest try gave nothing; stays until a try succeeds, so that it does not flicker between tries. */
  fault: unknown;
}

/** What is shown of a question that is asked again: the last good answer, whatever minute it was asked for, and the fault of later tries. */
export function nextAnswer<T>(before: LastAnswer<T> & { question: string }, question: string, asked: Asked<T>): LastAnswer<T> & { question: string } {
  const kept = before.question === question ? before : { data: undefined, readAt: 0, fault: undefined, question };
  if (asked.error) return { ...kept, data: asked.data ?? kept.data, readAt: asked.dataUpdatedAt || kept.readAt, fault: asked.error };
  if (asked.data === undefined) return kept;
  // What stands in for an answer is the answer to the question before, with its time; it does not become one of this question.
  if (asked.isPlaceholderData) return before.question === question && before.data !== undefined ? before : { ...before, data: asked.data, fault: undefined };
  return { data: asked.data, readAt: asked.dataUpdatedAt, fault: undefined, question };
}

/** The last good answer to a question that names no time: a new minute is the same question. */
export function useLastAnswer<T>(asked: Asked<T>, question: string): LastAnswer<T> {
  const last = useRef<LastAnswer<T> & { question: string }>({ data: undefined, readAt: 0, fault: undefined, question });
  last.current = nextAnswer(last.current, question, asked);
  return last.current;
}

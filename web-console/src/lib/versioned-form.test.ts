import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useVersionedForm } from "./versioned-form";

const opened = () => renderHook(({ text, etag }) => useVersionedForm({ name: text }, etag), { initialProps: { text: "a", etag: "1" } });

test("a form follows newer versions until something is typed", () => {
  const form = opened();
  form.rerender({ text: "b", etag: "2" });
  expect(form.result.current).toMatchObject({ text: { name: "b" }, etag: "2", isChanged: false, isOutdated: false });
  act(() => form.result.current.put({ name: "mine" }));
  form.rerender({ text: "c", etag: "3" });
  expect(form.result.current).toMatchObject({ text: { name: "mine" }, etag: "2", isChanged: true, isOutdated: true });
  act(() => form.result.current.begin({ name: "c" }, "3"));
  expect(form.result.current).toMatchObject({ text: { name: "c" }, etag: "3", isChanged: false, isOutdated: false });
});

test("what was saved is the start, before and after it is read again", () => {
  const form = opened();
  act(() => form.result.current.put({ name: "mine" }));
  act(() => form.result.current.begin({ name: "mine" }, "2"));
  expect(form.result.current).toMatchObject({ text: { name: "mine" }, etag: "2", isChanged: false });
  act(() => form.result.current.put({ name: "more" }));
  form.rerender({ text: "mine", etag: "2" });
  expect(form.result.current).toMatchObject({ text: { name: "more" }, etag: "2", isChanged: true, isOutdated: false });
});

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
  act(() => form.result.current.takeNewest());
  expect(form.result.current).toMatchObject({ text: { name: "c" }, etag: "3", isChanged: false, isOutdated: false });
});

test("a form whose text is as it began follows again", () => {
  const form = opened();
  act(() => form.result.current.put({ name: "mine" }));
  form.rerender({ text: "b", etag: "2" });
  act(() => form.result.current.put({ name: "a" }));
  expect(form.result.current).toMatchObject({ text: { name: "b" }, etag: "2", isChanged: false, isOutdated: false });
});

test("what was saved is the start, before and after it is read again", () => {
  const form = opened();
  act(() => form.result.current.put({ name: "mine " }));
  act(() => form.result.current.saved({ name: "mine " }, { name: "mine" }, "2"));
  expect(form.result.current).toMatchObject({ text: { name: "mine" }, etag: "2", isChanged: false, isOutdated: false });
  act(() => form.result.current.put({ name: "more" }));
  form.rerender({ text: "mine", etag: "2" });
  expect(form.result.current).toMatchObject({ text: { name: "more" }, etag: "2", isChanged: true, isOutdated: false });
  form.rerender({ text: "theirs", etag: "3" });
  expect(form.result.current).toMatchObject({ text: { name: "more" }, etag: "2", isOutdated: true });
});

test("what is typed while a save is on its way stays", () => {
  const form = opened();
  act(() => form.result.current.put({ name: "mine and more" }));
  act(() => form.result.current.saved({ name: "mine" }, { name: "mine" }, "2"));
  expect(form.result.current).toMatchObject({ text: { name: "mine and more" }, etag: "2", isChanged: true, isOutdated: false });
});

test("the version that was saved over does not come back by a read that is late", () => {
  const form = opened();
  act(() => form.result.current.put({ name: "mine" }));
  act(() => form.result.current.saved({ name: "mine" }, { name: "mine" }, "2"));
  form.rerender({ text: "mine", etag: "2" });
  form.rerender({ text: "a", etag: "1" });
  expect(form.result.current).toMatchObject({ text: { name: "mine" }, etag: "2", isOutdated: false });
});

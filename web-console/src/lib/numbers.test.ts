import { expect, test } from "vitest";
import { displayed } from "./displayed";
import { identifierOf } from "./identifiers";
import { exactFigure, shortFigure, unitOfAxis } from "./numbers";

test("figures have the unit of the metric and as many digits as say something", () => {
  expect(shortFigure(1234.5, "By")).toBe("1.23 kB");
  expect(shortFigure(0.0123, "s")).toBe("12.3 ms");
  expect(shortFigure(1_234_567, "1")).toBe("1.23 M");
  expect(shortFigure(1234, "")).toBe("1,234");
  expect(shortFigure(12.345, "{message}/s")).toBe("12.35/s");
  expect(shortFigure(null, "By")).toBe("–");
  expect(shortFigure(0, "s")).toBe("0 s");
  expect(shortFigure(2_500_000_000, "bytes")).toBe("2.5 GB");
  expect(shortFigure(2_500_000_000, "By/s")).toBe("2.5 GB/s");
  expect(shortFigure(2, "MiBy")).toBe("2.1 MB");
  expect(shortFigure(2_500_000, "Hz")).toBe("2.5 MHz");
  expect(shortFigure(2_500_000, "apples")).toBe("2.5 M apples");
  expect(shortFigure(5990, "point")).toBe("5,990 points");
  expect(shortFigure(1, "point")).toBe("1 point");
  expect(shortFigure(2, "entry")).toBe("2 entries");
  expect(shortFigure(3, "batch/s")).toBe("3 batches/s");
  expect(unitOfAxis("point/s")).toBe("points/s");
  expect(unitOfAxis("By/s")).toBeUndefined();
  expect(shortFigure(0.5, "ratio")).toBe("0.5");
  expect(exactFigure(1234567.125)).toBe("1,234,567.125");
});

test("what a sender named cannot change the page around it", () => {
  expect(displayed("a\u202eb\u200bc")).toBe("a\\u202eb\\u200bc");
  expect(displayed("x".repeat(10_000))).toHaveLength(121);
  expect(displayed("<b>🦩</b>")).toBe("<b>🦩</b>");
});

test("identifiers are made from names", () => {
  expect(identifierOf("  Übersee Nord #2 ")).toBe("ubersee-nord-2");
  expect(identifierOf("日本")).toBe("");
});

import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { displayed } from "../lib/displayed";
import { exactFigure, shortFigure, unitOfAxis } from "../lib/numbers";
import { isAlwaysZero, seriesName, split, summaryOf, type Series, type SeriesSet, type Summary } from "../lib/series";
import { formatClock, formatTime, isBrowserZone, zoneName, type Zone } from "../lib/time-range";

const COLOURS = 8;
const LINES_SHOWN = 1000;

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const NO_LEVELS: readonly { value: number; label: string }[] = [];

export interface ChartProps {
  data: SeriesSet;
  /** Milliseconds; buckets from here on are not over. */
  completeUntil: number | undefined;
  unit: string;
  zone: Zone;
  height?: number;
  /** What the picture shows, for those who do not see it. */
  label: string;
  /** Counts begin at zero. */
  fromZero?: boolean;
  /** Only this series is drawn. */
  alone?: string | undefined;
  /** Values with a name, drawn across the picture. */
  levels?: readonly { value: number; label: string }[];
}

interface Hover {
  index: number;
  left: number;
  pinned: boolean;
}

/** Lines over time. What is not complete is dashed, over a hatched band from the watermark to the end. */
export function Chart({ data, completeUntil, unit, zone, height = 260, label, fromZero = true, alone, levels = NO_LEVELS }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  const [hover, setHover] = useState<Hover | null>(null);
  const pinned = useRef(false);
  const shown = useMemo(
    () => data.series.map((series, index) => ({ series, colour: (index % COLOURS) + 1, dashed: index >= COLOURS })).filter((each) => alone === undefined || each.series.key === alone).slice(0, LINES_SHOWN),
    [data, alone],
  );
  const width = data.times.length > 1 ? (data.times[1] ?? 0) - (data.times[0] ?? 0) : 60;

  // Without an open bucket no line has a dashed part: with many lines that is half of the work.
  const hasOpen = useMemo(() => shown.some(({ series }) => series.states.includes("provisional")), [shown]);
  const isFlat = useMemo(() => levels.length === 0 && isAlwaysZero(shown.map((each) => each.series)), [shown, levels]);
  const latest = useRef({ data, shown, completeUntil, width, levels, hasOpen, isFlat });
  latest.current = { data, shown, completeUntil, width, levels, hasOpen, isFlat };
  const plotted = useRef<uPlot>(null);
  // Which lines there are decides the picture's parts; values only fill it.
  const parts = shown.map((each) => `${each.series.key} ${each.colour} ${each.dashed}`).join("\n");

  useEffect(() => {
    const target = frame.current;
    if (!target) return;
    const line = css("--t-line");
    const quiet = css("--t-quiet");
    const hatch = css("--t-hatch");
    const accent = css("--t-accent");
    const began = performance.now();
    let isTimed = false;
    // An axis up to 1 would say that something might have been there.
    const ofFlat: uPlot.Axis.Filter = (_, ticks) => (latest.current.isFlat ? ticks.map((tick) => (tick === 0 ? tick : null)) : ticks);
    const options: uPlot.Series[] = [{}];
    const colours = Array.from({ length: COLOURS + 1 }, (_, colour) => css(`--t-s${colour}`));
    for (const { colour, dashed } of latest.current.shown) {
      const shared: uPlot.Series = { stroke: colours[colour] ?? quiet, width: 1.5, spanGaps: false, points: { show: true, size: 5, filter: lonely } };
      options.push({ ...shared, ...(dashed ? { dash: [8, 3] } : {}) });
      if (latest.current.hasOpen) options.push({ ...shared, dash: [3, 4] });
    }
    const plot = new uPlot(
      {
        width: target.clientWidth || 600,
        height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: options.length <= 80 }, y: false },
        scales: {
          x: {
            time: true,
            // The last bucket is as wide as the others.
            range: () => {
              const { times } = latest.current.data;
              return [times[0] ?? 0, (times[times.length - 1] ?? 1) + latest.current.width];
            },
          },
          y: { range: (_, low, high) => rangeOf(...withLevels(low, high, latest.current.levels), fromZero) },
        },
        tzDate: (time) => (isBrowserZone(zone) ? new Date(time * 1000) : uPlot.tzDate(new Date(time * 1000), zoneName(zone))),
        axes: [
          {
            stroke: quiet,
            grid: { show: false },
            ticks: { stroke: line, size: 4 },
            size: 28,
            font: "11px system-ui, sans-serif",
            values: (_, ticks, __, ___, step) => ticks.map((tick) => (step >= 86_400 ? formatTime(tick * 1000, zone, "day").slice(0, 6) : formatClock(tick * 1000, zone, step < 60))),
          },
          {
            stroke: quiet,
            filter: ofFlat,
            grid: { stroke: line, width: 1, filter: ofFlat },
            ticks: { show: false },
            size: 64,
            font: "11px system-ui, sans-serif",
            values: (_, ticks: (number | null)[]) => ticks.map((tick) => tick === null ? null : shortFigure(tick, unitOfAxis(unit) ? "" : unit, 1000)),
          },
        ],
        series: options,
        hooks: {
          drawClear: [
            (chart) => {
              const until = latest.current.completeUntil;
              const end = chart.scales["x"]?.max ?? 0;
              if (until === undefined || until / 1000 >= end) return;
              const left = Math.max(chart.valToPos(until / 1000, "x", true), chart.bbox.left);
              drawHatch(chart.ctx, left, chart.bbox.top, chart.bbox.left + chart.bbox.width - left, chart.bbox.height, hatch);
            },
          ],
          draw: [
            () => {
              // The first picture, for tests of speed.
              if (!isTimed) performance.measure("tidemark.chart", { start: began });
              isTimed = true;
            },
            (chart) => drawRevisions(chart, latest.current.data.times, latest.current.shown.map((each) => each.series), accent),
            (chart) => drawLevels(chart, latest.current.levels, css("--t-danger")),
          ],
          setCursor: [
            (chart) => {
              if (pinned.current) return;
              const index = chart.cursor.idx;
              const left = chart.cursor.left ?? -1;
              setHover(index === null || index === undefined || left < 0 ? null : { index, left: left + chart.bbox.left / devicePixelRatio, pinned: false });
            },
          ],
        },
      },
      columnsOf(latest.current.data.times, latest.current.shown, latest.current.hasOpen),
      target,
    );
    plotted.current = plot;
    const click = () => {
      pinned.current = !pinned.current;
      setHover((before) => (before ? { ...before, pinned: pinned.current } : before));
    };
    plot.over.addEventListener("click", click);
    const watch = new ResizeObserver(() => {
      if (target.clientWidth > 0 && target.clientWidth !== plot.width) plot.setSize({ width: target.clientWidth, height });
    });
    watch.observe(target);
    return () => {
      watch.disconnect();
      plot.over.removeEventListener("click", click);
      plot.destroy();
      plotted.current = null;
      pinned.current = false;
      setHover(null);
    };
  }, [parts, hasOpen, unit, zone, height, fromZero, scheme]);

  useEffect(() => {
    plotted.current?.setData(columnsOf(data.times, shown, hasOpen));
  }, [data, shown, completeUntil, levels]);

  const states = { provisional: 0, final: 0, revised: 0 };
  for (const { series } of shown) for (const state of series.states) if (state) states[state]++;
  const end = ((data.times[data.times.length - 1] ?? 0) + width) * 1000;

  return (
    <div className="chart">
      {unitOfAxis(unit) && <div className="quiet chart-unit">{unitOfAxis(unit)}</div>}
      <div ref={frame} className="chart-frame" style={{ minHeight: height }} role="img" aria-label={label} data-provisional={states.provisional} data-final={states.final} data-revised={states.revised} data-hatched={completeUntil !== undefined && completeUntil < end} />
      {hover && <Tip hover={hover} data={data} shown={shown} unit={unit} zone={zone} width={width} />}
    </div>
  );
}

/** A value without a neighbour makes no line: only these are drawn as points. */
function lonely(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const found: number[] = [];
  for (let index = 0; index < values.length; index++) {
    if (values[index] != null && values[index - 1] == null && values[index + 1] == null) found.push(index);
  }
  return found;
}

function columnsOf(times: number[], shown: { series: Series }[], hasOpen: boolean): uPlot.AlignedData {
  return [
    times,
    ...shown.flatMap(({ series }) => {
      if (!hasOpen) return [series.values];
      const parts = split(series);
      return [parts.complete, parts.open];
    }),
  ] as uPlot.AlignedData;
}

/** A small mark over each bucket that late points changed after it was final. */
function drawRevisions(chart: uPlot, times: number[], all: Series[], colour: string) {
  const context = chart.ctx;
  const size = 4 * devicePixelRatio;
  context.save();
  context.fillStyle = colour;
  for (const series of all) {
    series.states.forEach((state, index) => {
      const value = series.values[index];
      const time = times[index];
      if (state !== "revised" || value === null || value === undefined || time === undefined) return;
      const x = chart.valToPos(time, "x", true);
      const y = chart.valToPos(value, "y", true);
      context.beginPath();
      context.moveTo(x - size, y - 2 * size);
      context.lineTo(x + size, y - 2 * size);
      context.lineTo(x, y - size / 2);
      context.fill();
    });
  }
  context.restore();
}

/** The range with all levels inside, so that a threshold far away is seen to be far away. */
function withLevels(low: number | null, high: number | null, levels: readonly { value: number }[]): [number | null, number | null] {
  if (levels.length === 0) return [low, high];
  const values = levels.map((each) => each.value);
  return [Math.min(low ?? Infinity, ...values), Math.max(high ?? -Infinity, ...values)];
}

/** A line across for each level, with its name at the right end. */
function drawLevels(chart: uPlot, levels: readonly { value: number; label: string }[], colour: string) {
  const context = chart.ctx;
  context.save();
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = devicePixelRatio;
  context.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.setLineDash([6 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { value, label } of levels) {
    const y = chart.valToPos(value, "y", true);
    if (!Number.isFinite(y)) continue;
    context.beginPath();
    context.moveTo(chart.bbox.left, y);
    context.lineTo(chart.bbox.left + chart.bbox.width, y);
    context.stroke();
    context.fillText(label, chart.bbox.left + chart.bbox.width - 4 * devicePixelRatio, y - 2 * devicePixelRatio);
  }
  context.restore();
}

function rangeOf(low: number | null, high: number | null, fromZero: boolean): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const bottom = fromZero ? Math.min(0, low) : low;
  const top = fromZero ? Math.max(0, high) : high;
  const room = top === bottom ? Math.abs(top) * 0.1 || 1 : (top - bottom) * 0.08;
  return [bottom === 0 && fromZero ? 0 : bottom - room, top === 0 && fromZero ? room : top + room];
}

/** Lines across a part of a picture that is not complete. */
export function drawHatch(context: CanvasRenderingContext2D, left: number, top: number, width: number, height: number, colour: string) {
  if (width <= 0) return;
  const step = 8 * devicePixelRatio;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = devicePixelRatio;
  context.beginPath();
  for (let x = left - height; x < left + width; x += step) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

const TIP_LINES = 12;

function Tip({ hover, data, shown, unit, zone, width }: { hover: Hover; data: SeriesSet; shown: { series: Series; colour: number }[]; unit: string; zone: Zone; width: number }) {
  const time = data.times[hover.index];
  if (time === undefined) return null;
  const values = shown
    .map(({ series, colour }) => ({ series, colour, value: series.values[hover.index] ?? null, state: series.states[hover.index] }))
    .filter((each) => each.value !== null)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const open = values.some((each) => each.state === "provisional");
  const revised = values.some((each) => each.state === "revised");
  const side = hover.left > 340 ? { right: `calc(100% - ${hover.left - 12}px)` } : { left: hover.left + 12 };
  return (
    <div className={`chart-tip ${hover.pinned ? "pinned" : ""}`} style={{ top: 8, ...side }}>
      <strong>{formatTime(time * 1000, zone, "minute")}</strong>
      <span className="quiet"> for {width >= 3600 ? `${width / 3600} h` : `${width / 60} min`}</span>
      {values.length === 0 && <div className="quiet">No value in this bucket</div>}
      <table>
        <tbody>
          {values.slice(0, TIP_LINES).map(({ series, colour, value }) => (
            <tr key={series.key}>
              <td>
                <span className={`swatch c${colour}`} />
                {displayed(seriesName(series), 48)}
              </td>
              <td title={exactFigure(value)}>{shortFigure(value, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > TIP_LINES && <div className="quiet">and {values.length - TIP_LINES} more</div>}
      {open && <div className="warn">Provisional: points may still arrive</div>}
      {revised && <div>Revised: late points changed it after it was final</div>}
    </div>
  );
}

type Column = "name" | keyof Summary;

/** The series of a chart as a table that sorts, and isolates one. */
export function Legend({ data, unit, alone, setAlone }: { data: SeriesSet; unit: string; alone: string | undefined; setAlone: (key: string | undefined) => void }) {
  const [sort, setSort] = useState<{ by: Column; up: boolean }>({ by: "last", up: false });
  const rows = useMemo(() => {
    const all = data.series.map((series, index) => ({ series, colour: (index % COLOURS) + 1, summary: summaryOf(series), name: seriesName(series) }));
    const order = sort.up ? 1 : -1;
    return all.sort((a, b) => order * (sort.by === "name" ? a.name.localeCompare(b.name) : (a.summary[sort.by] ?? -Infinity) - (b.summary[sort.by] ?? -Infinity)));
  }, [data, sort]);
  const head = (by: Column, text: string, numeric = true) => (
    <th className={numeric ? "num" : ""} aria-sort={sort.by === by ? (sort.up ? "ascending" : "descending") : "none"}>
      <button type="button" className="plain-button" onClick={() => setSort({ by, up: sort.by === by ? !sort.up : by === "name" })}>
        {text}
        <span className="sort-mark" aria-hidden>
          {sort.by === by ? (sort.up ? " ↑" : " ↓") : ""}
        </span>
      </button>
    </th>
  );
  const figure = (value: number | null) => (
    <td className="num" title={exactFigure(value)}>
      {shortFigure(value, unit)}
    </td>
  );
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Series">
      <table className="data">
        <thead>
          <tr>
            {head("name", "Series", false)}
            {head("min", "Min")}
            {head("max", "Max")}
            {head("avg", "Avg")}
            {head("last", "Last")}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 200).map(({ series, colour, summary, name }) => (
            <tr key={series.key} className={alone !== undefined && alone !== series.key ? "legend-off" : ""}>
              <td>
                <button
                  type="button"
                  className="plain-button break"
                  aria-pressed={alone === series.key}
                  title={alone === series.key ? "Show all series" : "Show this series alone"}
                  onClick={() => setAlone(alone === series.key ? undefined : series.key)}
                >
                  <span className={`swatch c${colour}`} />
                  {displayed(name)}
                </button>
              </td>
              {figure(summary.min)}
              {figure(summary.max)}
              {figure(summary.avg)}
              {figure(summary.last)}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > 200 && <p className="quiet small">The first 200 of {rows.length} series. Filter to see others.</p>}
    </div>
  );
}

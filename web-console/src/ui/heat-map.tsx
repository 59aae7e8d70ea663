import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { displayed } from "../lib/displayed";
import { boundOf, largestOf, scaleOf, shadeOf, SHADES, spreadOf, ticksOf, type ValueRange } from "../lib/heat-map";
import { exactFigure, shortFigure } from "../lib/numbers";
import { drawnOf, lastComplete, seriesName, summaryOf, type SeriesSet } from "../lib/series";
import { formatClock, formatTime, type Zone } from "../lib/time-range";
import { drawHatch } from "./chart";

interface Place {
  row: number;
  column: number;
}

interface HeatMapProps {
  /** The first series is the lowest row. */
  data: SeriesSet;
  /** Of the rows, in their order. */
  names: readonly string[];
  /** What rows are, as in "Range of values". */
  head: string;
  /** Of the values that are colours. */
  unit: string;
  /** Milliseconds; buckets from here on are not over. */
  completeUntil: number | undefined;
  zone: Zone;
  height?: number;
  /** What the picture shows, for those who do not see it. */
  label: string;
}

const BELOW = 22;
const FONT = "11px system-ui, sans-serif";

/** Width of most letters of it. */
const LETTER = 6.4;
const LONGEST_NAME = 60;

/** A column a bucket, a row a series, a colour a value. What is not complete lies under a hatched band. */
export function HeatMap({ data, names, head, unit, completeUntil, zone, height = 200, label }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  const [width, setWidth] = useState(600);
  const [at, setAt] = useState<Place | null>(null);
  const [pinned, setPinned] = useState(false);
  const [byKey, setByKey] = useState(false);
  const said = useId();
  const scale = useMemo(() => scaleOf(data), [data]);
  const columns = data.times.length;
  const rows = data.series.length;
  const bucket = columns > 1 ? (data.times[1] ?? 0) - (data.times[0] ?? 0) : 60;
  const left = Math.round(Math.min(width * (width < 420 ? 0.25 : 0.38), Math.max(104, LETTER * longest(names) + 14)));
  const tall = Math.max(height, rows * 9 + BELOW);
  const wide = Math.max(1, width - left);
  const high = tall - BELOW;
  const cell = { width: wide / Math.max(1, columns), height: high / Math.max(1, rows) };
  const place = at && at.row < rows && at.column < columns ? at : null;

  useEffect(() => {
    const target = frame.current;
    if (!target) return;
    const watch = new ResizeObserver(() => {
      if (target.clientWidth > 0) setWidth(target.clientWidth);
    });
    watch.observe(target);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext("2d");
    if (!target || !context) return;
    const began = performance.now();
    const ratio = devicePixelRatio || 1;
    target.width = Math.round(width * ratio);
    target.height = Math.round(tall * ratio);
    const css = getComputedStyle(document.documentElement);
    const token = (name: string) => css.getPropertyValue(name).trim();
    const shades = Array.from({ length: SHADES + 1 }, (_, shade) => token(`--t-heat${shade}`));
    context.clearRect(0, 0, target.width, target.height);
    // Edges of cells lie on whole pixels, so that none shines through between two.
    const x = (column: number) => Math.round((left + column * cell.width) * ratio);
    const y = (row: number) => Math.round((high - row * cell.height) * ratio);
    data.series.forEach((series, row) => {
      series.values.forEach((value, column) => {
        if (value === null) return;
        context.fillStyle = shades[shadeOf(value, scale)] ?? "";
        context.fillRect(x(column), y(row + 1), x(column + 1) - x(column), y(row) - y(row + 1));
      });
    });
    const until = completeUntil === undefined ? columns : data.times.findIndex((time) => (time + bucket) * 1000 > completeUntil);
    if (until >= 0 && until < columns) drawHatch(context, x(until), 0, x(columns) - x(until), y(0), token("--t-line-strong"));
    context.fillStyle = token("--t-accent");
    data.times.forEach((_, column) => {
      if (!data.series.some((series) => series.states[column] === "revised")) return;
      const middle = (x(column) + x(column + 1)) / 2;
      context.beginPath();
      context.moveTo(middle - 4 * ratio, 0);
      context.lineTo(middle + 4 * ratio, 0);
      context.lineTo(middle, 6 * ratio);
      context.fill();
    });
    context.strokeStyle = token("--t-line");
    context.lineWidth = ratio;
    context.strokeRect(x(0), 0, x(columns) - x(0), y(0));
    context.scale(ratio, ratio);
    context.fillStyle = token("--t-quiet");
    context.font = FONT;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = Math.ceil(14 / cell.height);
    for (let row = 0; row < rows; row += every) context.fillText(fitted(context, displayed(names[row] ?? "", LONGEST_NAME), left - 8), left - 6, Math.max(7, high - (row + 0.5) * cell.height));
    context.textBaseline = "top";
    context.textAlign = "center";
    const isDays = (data.times[columns - 1] ?? 0) - (data.times[0] ?? 0) > 3 * 86_400;
    for (const column of ticksOf(data.times, (time) => minuteOfDay(time, zone), Math.floor(wide / 64))) {
      const time = (data.times[column] ?? 0) * 1000;
      const middle = Math.min(Math.max(left + column * cell.width, left + 18), left + wide - 18);
      context.fillText(isDays ? formatTime(time, zone, "day").slice(0, 6) : formatClock(time, zone), middle, high + 6);
    }
    performance.measure("tidemark.heat-map", { start: began });
  }, [data, names, scale, completeUntil, zone, width, tall, scheme]);

  const go = (event: KeyboardEvent) => {
    const from = place ?? { row: rows - 1, column: columns - 1 };
    const next: Record<string, Place> = {
      ArrowLeft: { ...from, column: from.column - 1 },
      ArrowRight: { ...from, column: from.column + 1 },
      ArrowUp: { ...from, row: from.row + 1 },
      ArrowDown: { ...from, row: from.row - 1 },
      Home: { ...from, column: 0 },
      End: { ...from, column: columns - 1 },
    };
    if (event.key === "Escape") {
      setAt(null);
      setPinned(false);
      return;
    }
    const to = next[event.key];
    if (!to) return;
    event.preventDefault();
    setByKey(true);
    // The first key shows where it is.
    const wanted = place ? to : from;
    setAt({ row: Math.min(Math.max(wanted.row, 0), rows - 1), column: Math.min(Math.max(wanted.column, 0), columns - 1) });
  };
  const point = (event: { clientX: number; clientY: number }) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    const column = Math.floor((event.clientX - box.left - left) / cell.width);
    const row = Math.floor((high - (event.clientY - box.top)) / cell.height);
    setByKey(false);
    setAt(column >= 0 && column < columns && row >= 0 && row < rows ? { row, column } : null);
  };
  const series = place ? data.series[place.row] : undefined;
  const value = place ? (series?.values[place.column] ?? null) : null;
  const state = place ? series?.states[place.column] : undefined;
  const begin = place ? (data.times[place.column] ?? 0) * 1000 : 0;
  const length = bucket >= 3600 ? `${bucket / 3600} h` : `${bucket / 60} min`;
  const end = ((data.times[columns - 1] ?? 0) + bucket) * 1000;
  const states = { provisional: 0, final: 0, revised: 0 };
  for (const each of data.series) for (const one of each.states) if (one) states[one]++;
  const edge = place ? left + (place.column + 1) * cell.width : 0;
  return (
    <div className="chart stack tight">
      <div
        ref={frame}
        className="heat-frame"
        style={{ height: tall }}
        role="application"
        aria-roledescription="heat map"
        tabIndex={0}
        aria-label={`${label}. Arrow keys read single values.`}
        aria-describedby={said}
        data-rows={rows}
        data-columns={columns}
        data-provisional={states.provisional}
        data-final={states.final}
        data-revised={states.revised}
        data-hatched={completeUntil !== undefined && completeUntil < end}
        onKeyDown={go}
        onMouseMove={(event) => !pinned && point(event)}
        onMouseLeave={() => !pinned && setAt(null)}
        onBlur={() => byKey && setAt(null)}
        onClick={() => setPinned(!pinned && place !== null)}
      >
        <canvas ref={canvas} style={{ width, height: tall }} aria-hidden />
        {place && <span className="heat-cell" style={{ left: left + place.column * cell.width, top: high - (place.row + 1) * cell.height, width: cell.width, height: cell.height }} />}
        {place && (
          <div className={`chart-tip ${pinned ? "pinned" : ""}`} style={{ top: 8, ...(edge > width / 2 ? { right: width - edge + cell.width + 8 } : { left: edge + 8 }) }}>
            <strong>{formatTime(begin, zone, "minute")}</strong>
            <span className="quiet"> for {length}</span>
            <div className="break">{displayed(names[place.row] ?? "", 80)}</div>
            {value === null ? <div className="quiet">No value in this bucket</div> : <div title={exactFigure(value)}>{shortFigure(value, unit)}</div>}
            {state === "provisional" && <div className="warn">Provisional: points may still arrive</div>}
            {state === "revised" && <div>Revised: late points changed it after it was final</div>}
          </div>
        )}
      </div>
      <p id={said} className="hidden" aria-live="polite">
        {place && byKey ? `${displayed(names[place.row] ?? "", 80)} at ${formatTime(begin, zone, "minute")}: ${value === null ? "no value" : shortFigure(value, unit)}${state === "provisional" ? ", provisional" : state === "revised" ? ", revised" : ""}` : ""}
      </p>
      <div className="row quiet small">
        <span>{shortFigure(scale.low, unit)}</span>
        <span className="heat-scale" aria-hidden>
          {Array.from({ length: SHADES }, (_, shade) => (
            <span key={shade} className={`heat-shade h${shade + 1}`} title={`to ${shortFigure(boundOf(shade + 1, scale), unit)}`} />
          ))}
        </span>
        {scale.high !== scale.low && <span>{shortFigure(scale.high, unit)}</span>}
        <Rows data={data} names={names} head={head} unit={unit} label={label} />
      </div>
    </div>
  );
}

function minuteOfDay(time: number, zone: Zone): number {
  const [hours = 0, minutes = 0] = formatClock(time * 1000, zone).split(":").map(Number);
  return hours * 60 + minutes;
}

/** Letters of the longest name, as far as one is shown. */
function longest(names: readonly string[]): number {
  return Math.min(LONGEST_NAME, Math.max(0, ...names.map((name) => name.length)));
}

/** The beginning of a text that has room. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let kept = [...text];
  while (kept.length > 1 && context.measureText(`${kept.join("")}…`).width > room) kept = kept.slice(0, -1);
  return `${kept.join("")}…`;
}

/** The same as a table. */
function Rows({ data, names, head, unit, label }: { data: SeriesSet; names: readonly string[]; head: string; unit: string; label: string }) {
  const [open, setOpen] = useState(false);
  const figure = (value: number | null) => (
    <td className="num" title={exactFigure(value)}>
      {shortFigure(value, unit)}
    </td>
  );
  return (
    <details className="heat-rows" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        <div className="table-scroll" tabIndex={0} role="region" aria-label={`${label}, as a table`}>
          <table className="data">
            <thead>
              <tr>
                <th>{head}</th>
                <th className="num">Min</th>
                <th className="num">Max</th>
                <th className="num">Avg</th>
                <th className="num">Last complete</th>
              </tr>
            </thead>
            <tbody>
              {data.series
                .map((series, index) => {
                  const summary = summaryOf(series);
                  return (
                    <tr key={series.key}>
                      <td className="break">{displayed(names[index] ?? "", 80)}</td>
                      {figure(summary.min)}
                      {figure(summary.max)}
                      {figure(summary.avg)}
                      {figure(lastComplete(series))}
                    </tr>
                  );
                })
                .reverse()}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** The name of a range in the unit of the metric; around 0 it has one bound. */
export function rangeName({ lower, upper }: ValueRange, unit: string): string {
  return lower === 0 && upper === 0 ? shortFigure(0, unit) : `${shortFigure(lower, unit)} – ${shortFigure(upper, unit)}`;
}

interface Answered {
  completeUntil: number | undefined;
  zone: Zone;
  label: string;
}

/** How the observations of a histogram are spread over its values, from the distributions of an answer. */
export function SpreadMap({ rows, bounds, width, readAt, unit, ...shown }: Answered & { rows: readonly Record<string, unknown>[]; bounds: { from: number; to: number }; width: number; readAt: number; unit: string }) {
  const { data, names, without } = useMemo(() => {
    const spread = spreadOf(rows, bounds.from, bounds.to, width);
    return { data: drawnOf(spread.set, "sum", readAt, width).set, names: spread.ranges.map((each) => rangeName(each, unit)), without: spread.without };
  }, [rows, bounds, width, readAt, unit]);
  if (data.series.length === 0) {
    return (
      <p className="quiet" style={{ minHeight: 200 }}>
        {without > 0 ? "These observations came without buckets, so nobody knows how they are spread." : "No points in this time."}
      </p>
    );
  }
  return (
    <>
      <HeatMap {...shown} data={data} names={names} head="Range of values" unit="" />
      {without > 0 && <p className="quiet small">Some observations came without buckets and are not shown.</p>}
    </>
  );
}

/** A row a series, the greatest on top. */
export function SeriesMap({ data, unit, ...shown }: Answered & { data: SeriesSet; unit: string }) {
  const { set, names, left } = useMemo(() => {
    const greatest = largestOf(data);
    const upward = { times: data.times, series: [...greatest.set.series].reverse() };
    return { set: upward, names: upward.series.map(seriesName), left: greatest.left };
  }, [data]);
  return (
    <>
      <HeatMap {...shown} data={set} names={names} head="Series" unit={unit} />
      {left > 0 && <p className="quiet small">The {set.series.length} greatest series; {left} more are not shown.</p>}
    </>
  );
}

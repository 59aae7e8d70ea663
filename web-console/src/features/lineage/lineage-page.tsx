import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import { body, control } from "../../api/client";
import { useAllowed } from "../../lib/access";
import { saveFile } from "../../lib/files";
import { count, duration } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { csvOf } from "../../lib/series";
import { formatClock, formatTime, type Zone } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { cornerOf, type Edge, keyOf, KINDS, lagText, type Lineage, lineOf, marksOf, minutesOf, NAMES, NODE, passed, rateOf, rateText, sentenceOf, SIZE, type State, summaryOf } from "./graph";

const LINEAGE = "/api/v1/organizations/{organization_id}/environments/{environment_id}/lineage" as const;

/** The way of points through the pipeline, with rate, lag and watermark on each edge. */
export function LineagePage() {
  const mayRead = useAllowed("catalog:read");
  return (
    <>
      <PageHead title="Pipeline" note="The way of points, from the gateway to the stores, in the last ten minutes. Rates are those of this environment, lags and watermarks those of the organisation." />
      {mayRead === false ? <Forbidden permission="catalog:read" what="see the pipeline" /> : mayRead ? <Way /> : <Skeleton />}
    </>
  );
}

function Way() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const search = useSearch({ strict: false }) as { edge?: unknown; minute?: unknown };
  const navigate = useNavigate();
  const set = (change: object) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...change })) as never, replace: true });
  const lineage = useQuery({
    queryKey: [organization, environment, "lineage"],
    queryFn: () => body(control.GET(LINEAGE, { params: { path: { organization_id: organization, environment_id: environment } } })),
    refetchInterval: 10_000,
  });
  return (
    <Loaded query={lineage} skeleton={<Skeleton rows={4} height={56} />}>
      {(found) => {
        const minutes = minutesOf(found);
        const minute = minutes.find((each) => each === search.minute);
        const chosen = found.edges.find((edge) => keyOf(edge) === search.edge);
        const summary = summaryOf(found);
        const choose = (edge: Edge) => set({ edge: chosen === edge ? undefined : keyOf(edge) });
        return (
          <div className="stack wide">
            {summary && (
              <Note {...(summary.tone ? { tone: summary.tone } : {})}>
                {summary.text}
                {summary.tone === undefined && (
                  <>
                    {" "}
                    <Link to="/o/$org/e/$env/data-in" params={{ org: organization, env: environment }}>
                      Send data
                    </Link>
                  </>
                )}
              </Note>
            )}
            <Slider minutes={minutes} minute={minute} zone={zone} choose={(next) => set({ minute: next })} />
            <Drawing lineage={found} minute={minute} chosen={chosen} choose={choose} />
            <div className="columns">
              <Edges lineage={found} minute={minute} zone={zone} chosen={chosen} choose={choose} />
              <section className="stack" aria-labelledby="edge">
                <h2 id="edge">{chosen ? `${NAMES[chosen.from]} to ${NAMES[chosen.to]}` : "An edge"}</h2>
                {chosen ? <Detail edge={chosen} zone={zone} /> : <p className="quiet">Choose an edge to see its minutes, and why something of it is not known.</p>}
              </section>
            </div>
            <p className="quiet small">
              Counted at {formatTime(found.counted_at, zone)}, in minutes from {formatClock(found.window_from, zone)} to {formatClock(found.window_to, zone)}; read again every ten seconds.
            </p>
          </div>
        );
      }}
    </Loaded>
  );
}

/** The place of the slider behind the last minute is the mean of all. */
function Slider({ minutes, minute, zone, choose }: { minutes: string[]; minute: string | undefined; zone: Zone; choose: (minute: string | undefined) => void }) {
  const place = minute === undefined ? minutes.length : minutes.indexOf(minute);
  const text = minute === undefined ? "Mean of the ten minutes" : `Minute ${formatClock(minute, zone)}`;
  return (
    <div className="row">
      <label htmlFor="minute" className="small quiet nowrap">
        Minute
      </label>
      <input id="minute" className="lineage-slider" type="range" min={0} max={minutes.length} step={1} value={place} aria-valuetext={text} onChange={(event) => choose(minutes[Number(event.currentTarget.value)])} />
      <output htmlFor="minute" className="figure nowrap">
        {text}
      </output>
      {minute !== undefined && (
        <Button variant="default" size="compact-sm" onClick={() => choose(undefined)}>
          Show the mean
        </Button>
      )}
    </div>
  );
}

function Drawing({ lineage, minute, chosen, choose }: { lineage: Lineage; minute: string | undefined; chosen: Edge | undefined; choose: (edge: Edge) => void }) {
  const press = (event: KeyboardEvent, edge: Edge) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(edge);
    }
  };
  return (
    <div className="table-scroll wide-only" tabIndex={0} role="region" aria-label="Drawing of the pipeline; the table below says the same">
      <svg className="lineage" style={{ maxWidth: SIZE.width }} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="group" aria-label="Edges of the pipeline">
        <defs>
          <marker id="lineage-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M 0 0 L 8 4 L 0 8 z" className="lineage-head" />
          </marker>
        </defs>
        {lineage.edges.map((edge) => {
          const line = lineOf(edge);
          const [rate, lag] = marksOf(edge, minute);
          return (
            <g key={keyOf(edge)} role="button" tabIndex={0} aria-pressed={edge === chosen} aria-label={sentenceOf(edge, minute)} className={`lineage-edge ${edge.state}`} onClick={() => choose(edge)} onKeyDown={(event) => press(event, edge)}>
              <path d={line.path} className="lineage-reach" />
              <path d={line.path} className="lineage-line" markerEnd="url(#lineage-head)" />
              <Marks edge={edge} rate={rate} lag={lag} />
            </g>
          );
        })}
        {lineage.nodes.map((node) => {
          const corner = cornerOf(node.id);
          return (
            <g key={node.id} transform={`translate(${corner.x} ${corner.y})`} className={`lineage-node ${node.state}`} aria-hidden>
              <rect width={NODE.width} height={NODE.height} rx={6} />
              <text x={10} y={19} className="lineage-name">
                {NAMES[node.id]}
              </text>
              <text x={10} y={35} className="lineage-mark">
                {KINDS[node.kind]}, {node.state}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Text stands on both sides of a straight line, and on the outer side of one that turned: two of these may be close. */
function Marks({ edge, rate, lag }: { edge: Edge; rate: string; lag: string }) {
  const line = lineOf(edge);
  const [first, second]: [number, number] = !line.isTurned ? [-6, 15] : edge.from === "points_topic" ? [14, 28] : [-19, -6];
  return (
    <>
      <text x={line.x} y={line.y + first} className="lineage-mark" aria-hidden>
        {rate}
      </text>
      <text x={line.x} y={line.y + second} className="lineage-mark" aria-hidden>
        {lag}
      </text>
    </>
  );
}

const BADGES: Record<State, string> = { flowing: "badge ok", idle: "badge", late: "badge danger", unknown: "badge warn" };

function Edges({ lineage, minute, zone, chosen, choose }: { lineage: Lineage; minute: string | undefined; zone: Zone; chosen: Edge | undefined; choose: (edge: Edge) => void }) {
  return (
    <section className="stack" aria-labelledby="edges">
      <div className="row between">
        <h2 id="edges">Edges</h2>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => saveFile("pipeline.csv", "text/csv", csvText(lineage))}>
          CSV
        </Button>
      </div>
      <table className="data as-list">
        <thead>
          <tr>
            <th>Edge</th>
            <th>State</th>
            <th>Unit</th>
            <th className="num">{minute === undefined ? "Rate" : `In ${formatClock(minute, zone)}`}</th>
            <th className="num">Lag</th>
            <th>Watermark</th>
          </tr>
        </thead>
        <tbody>
          {lineage.edges.map((edge) => (
            <tr key={keyOf(edge)} aria-current={edge === chosen ? "true" : undefined}>
              <td data-label="Edge">
                <button type="button" className="plain-button" aria-pressed={edge === chosen} onClick={() => choose(edge)}>
                  {NAMES[edge.from]} → {NAMES[edge.to]}
                </button>
              </td>
              <td data-label="State">
                <span className={BADGES[edge.state]}>{edge.state}</span>
              </td>
              <td data-label="Unit">{edge.unit}</td>
              <td data-label="Rate" className="num" title={exactOf(edge, minute)}>
                {rateText(edge, minute)}
              </td>
              <td data-label="Lag" className={`num ${edge.state === "late" ? "danger" : ""}`}>
                {lagText(edge)}
              </td>
              <td data-label="Watermark" className="nowrap">
                {edge.watermark === undefined ? <span className="quiet">–</span> : formatTime(edge.watermark, zone)}
                {minute !== undefined && <Passed edge={edge} minute={minute} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whether the chosen minute is over the edge. */
function Passed({ edge, minute }: { edge: Edge; minute: string }) {
  const isPassed = passed(edge, minute);
  return isPassed === undefined ? null : <span className="small quiet"> {isPassed ? "passed" : "not passed yet"}</span>;
}

function exactOf(edge: Edge, minute: string | undefined): string | undefined {
  const rate = rateOf(edge, minute);
  return rate && count(rate.value);
}

function Detail({ edge, zone }: { edge: Edge; zone: Zone }) {
  const most = Math.max(1, ...edge.minutes.map((each) => each.count));
  return (
    <div className="stack">
      <p>
        <span className={BADGES[edge.state]}>{edge.state}</span> {edge.late_after_seconds !== undefined && <span className="quiet small">late after {duration(edge.late_after_seconds)}</span>}
      </p>
      {edge.watermark_missing !== undefined && <p className="break">{edge.watermark_missing}</p>}
      {edge.rate_missing !== undefined && <p className="break">{edge.rate_missing}</p>}
      {edge.minutes.length > 0 && (
        <table className="data">
          <thead>
            <tr>
              <th>Minute</th>
              <th className="num">{edge.unit}</th>
              <th aria-hidden />
            </tr>
          </thead>
          <tbody>
            {edge.minutes.map((each) => (
              <tr key={each.start}>
                <td className="nowrap">
                  {formatClock(each.start, zone)} {!each.is_complete && <span className="quiet small">open</span>}
                </td>
                <td className="num">{count(each.count)}</td>
                <td className="bar-cell" aria-hidden>
                  <span className={`bar ${each.is_complete ? "" : "lineage-open"}`} style={{ width: `${(100 * each.count) / most}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {edge.counted_at !== undefined && (
        <p className="quiet small">
          Counted at: {NAMES[edge.counted_at]}.{edge.unit === "rows" && " Rows of minutes, by the minute of measurement; an open minute is no drop."}
          {edge.unit === "points" && " By the minute of receipt, resends too."}
        </p>
      )}
    </div>
  );
}

function csvText(lineage: Lineage): string {
  return csvOf([
    ["from", "to", "state", "unit", "per_minute", "lag_seconds", "watermark", "rate_missing", "watermark_missing"],
    ...lineage.edges.map((edge) => [edge.from, edge.to, edge.state, edge.unit, edge.per_minute ?? null, edge.lag_seconds ?? null, edge.watermark ?? null, edge.rate_missing ?? null, edge.watermark_missing ?? null]),
  ]);
}

import { Button, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { body, control } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { groupText, sentenceOf } from "../../lib/alert";
import { displayed } from "../../lib/displayed";
import { shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import type { SeriesSet } from "../../lib/series";
import { formatTime } from "../../lib/time-range";
import { Chart } from "../../ui/chart";
import { Failure, Note } from "../../ui/states";

const LINES = 5;
const DAYS = ["1", "3", "7", "14", "30"];

/** When a condition would have fired, by the code that decides alerts. */
export function RuleBacktest({ condition }: { condition: Schemas["AlertCondition"] | undefined }) {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("metrics:read") === true;
  const [days, setDays] = useState("1");
  const preview = useMutation({
    mutationFn: async (asked: Schemas["AlertPreviewDraft"]) => ({
      asked,
      told: await body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/preview", { params: { path: { organization_id: organization, environment_id: environment } }, body: asked })),
    }),
  });
  if (!mayRead) return null;
  const isOld = preview.data !== undefined && condition !== undefined && JSON.stringify(preview.data.asked.condition) !== JSON.stringify(condition);
  return (
    <section className="stack" aria-label="Preview">
      <h2>Preview</h2>
      <div className="row">
        <Select aria-label="Days of the preview" w={130} allowDeselect={false} data={DAYS.map((each) => ({ value: each, label: each === "1" ? "Last day" : `Last ${each} days` }))} value={days} onChange={(value) => setDays(value ?? "1")} />
        <Button variant="default" disabled={condition === undefined} loading={preview.isPending} onClick={() => condition && preview.mutate({ condition, days: Number(days) })}>
          See when it would have fired
        </Button>
        {condition === undefined && <span className="quiet small">The condition is not whole yet.</span>}
      </div>
      {preview.error && <Failure fault={preview.error} />}
      {preview.data && (
        <>
          {isOld && <Note tone="warn">The condition was changed since: {displayed(sentenceOf(preview.data.asked.condition), 300)} is what is shown.</Note>}
          <Told told={preview.data.told} condition={preview.data.asked.condition} />
        </>
      )}
    </section>
  );
}

function Told({ told, condition }: { told: Schemas["AlertPreview"]; condition: Schemas["AlertCondition"] }) {
  const { zone } = useView();
  const data = useMemo(() => linesOf(told, condition.threshold), [told, condition.threshold]);
  if (told.first_row_minute === undefined) {
    return (
      <Note tone="warn">
        No row from {formatTime(told.from, zone, "minute")} to {formatTime(told.until, zone, "minute")} fits it. {told.incidents_total > 0 ? "It would fire because there is none." : "It would never have fired."}
      </Note>
    );
  }
  return (
    <>
      <Note>
        From {formatTime(told.from, zone, "minute")} to {formatTime(told.until, zone, "minute")} it would have fired <strong>{told.incidents_total}</strong> {told.incidents_total === 1 ? "time" : "times"} in {told.groups_total} {told.groups_total === 1 ? "group" : "groups"}.
        {told.revised_incidents > 0 && ` ${told.revised_incidents} of these were decided from minutes that late rows changed, so what was told first may have been corrected.`}
      </Note>
      {data.series.length > 1 && <Chart data={data} completeUntil={undefined} unit="" zone={zone} height={200} fromZero={false} label={`The value of ${data.series.length - 1} groups, and the threshold. The table below has the incidents.`} />}
      {told.incidents.length > 0 && (
        <table className="data as-list">
          <thead>
            <tr>
              <th>Group</th>
              <th>From</th>
              <th>Until</th>
              <th className="num">Value</th>
              <th>Late rows</th>
            </tr>
          </thead>
          <tbody>
            {told.incidents.slice(0, 20).map((each) => (
              <tr key={`${groupText(each.group)} ${each.started_at}`}>
                <td data-label="Group" className="mono break">
                  {displayed(groupText(each.group), 120)}
                </td>
                <td data-label="From" className="nowrap">
                  {formatTime(each.started_at, zone, "minute")}
                </td>
                <td data-label="Until" className="nowrap">
                  {each.ended_at ? formatTime(each.ended_at, zone, "minute") : "still open"}
                </td>
                <td data-label="Value" className="num">
                  {shortFigure(each.value ?? null)}
                </td>
                <td data-label="Late rows">{each.is_revised ? "may have been corrected" : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {told.incidents_total > 20 && <p className="quiet small">The first 20 of {told.incidents_total}.</p>}
    </>
  );
}

/** Values of groups on one grid, and the threshold beside them. */
export function linesOf(told: Schemas["AlertPreview"], threshold: number): SeriesSet {
  const from = Date.parse(told.from);
  const width = told.step_minutes * 60_000;
  const times: number[] = [];
  for (let time = from; time < Date.parse(told.until); time += width) times.push(time / 1000);
  const lines = told.groups.slice(0, LINES).map((group) => {
    const values = new Array<number | null>(times.length).fill(null);
    for (const point of group.points) {
      const index = Math.round((Date.parse(point.at) - from) / width);
      if (index >= 0 && index < values.length) values[index] = point.value ?? null;
    }
    return { key: groupText(group.group), labels: Object.entries(group.group), values, states: times.map(() => "final" as const) };
  });
  const limit = { key: "threshold", labels: [["threshold", shortFigure(threshold)] as [string, string]], values: times.map(() => threshold), states: times.map(() => "final" as const) };
  return { times, series: [...lines, limit] };
}

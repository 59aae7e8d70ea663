import { SegmentedControl, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { reconciliationQuery } from "../../api/billing-queries";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { decimalText } from "../../lib/money";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

const HOUR = 3_600_000;
const SPANS = [
  { value: "6", label: "6 hours" },
  { value: "24", label: "24 hours" },
];
const TONES: Record<Schemas["ReconciledHour"]["state"], string> = { open: "warn", agrees: "ok", differs: "danger", unknown: "" };

/** Where the points of an hour are, in the order that they pass. */
const STAGES = ["acknowledged", "metered", "set_aside", "without_value", "invoiced", "in_lake", "difference"] as const;
type Stage = (typeof STAGES)[number];

const STAGE_NAMES: Record<Stage, string> = {
  acknowledged: "Acknowledged",
  metered: "Metered",
  set_aside: "Set aside",
  without_value: "Without a value",
  invoiced: "Invoiced",
  in_lake: "In the lake",
  difference: "Difference",
};

const STAGE_MEANINGS: Record<Stage, string> = {
  acknowledged: "Points of batches that count, by receipts of senders",
  metered: "Points in the usage ledger",
  set_aside: "Points in the dead letters",
  without_value: "Points whose sender says that no value was recorded",
  invoiced: "Metered points that a closed invoice or a draft holds",
  in_lake: "Rows of the raw points in the lake",
  difference: "Metered, set aside and without a value, less acknowledged",
};

/** Whether every point that a sender was told of is metered or accounted for. */
export function ReconciliationPage() {
  const mayRead = useAllowed("billing:read");
  return (
    <>
      <PageHead title="Reconciliation" note="Points acknowledged to senders, by receipts, against points that were metered, set aside or without a value." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? <Forbidden permission="billing:read" what="see the reconciliation" /> : mayRead === undefined ? <Skeleton /> : <Hours />}
      </div>
    </>
  );
}

function Hours() {
  const { organization } = useScope();
  const { zone } = useView();
  const { hours, lake } = useSearch({ strict: false }) as { hours?: unknown; lake?: unknown };
  const navigate = useNavigate();
  const span = String(hours) === "24" ? "24" : "6";
  // Whole hours: what is asked changes once an hour.
  const to = Math.ceil(useNow() / HOUR) * HOUR;
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  // The API counts rows of the lake for six hours at most.
  const withLake = lake === 1 && span === "6";
  const read = useQuery(reconciliationQuery(organization, text(to - Number(span) * HOUR), text(to), withLake));
  const put = (part: object) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...part })) as never });
  const stages = STAGES.filter((stage) => stage !== "in_lake" || withLake);
  return (
    <>
      <div className="row">
        <SegmentedControl aria-label="Time" size="xs" data={SPANS} value={span} onChange={(value) => put({ hours: value === "6" ? undefined : Number(value), lake: undefined })} />
        {span === "6" && <Switch size="xs" label="Count rows of the lake too" checked={withLake} onChange={(event) => put({ lake: event.currentTarget.checked ? 1 : undefined })} />}
        {read.isFetching && read.data && <span className="quiet small">Counting …</span>}
      </div>
      <Loaded query={read}>
        {(found) => (
          <div className="stack">
            {found.agrees ? (
              <Note>Every hour that is over agrees.</Note>
            ) : (
              <Note tone="danger">
                {found.differences.map((each) => (
                  <div key={each} className="break">
                    {displayed(each, 300)}
                  </div>
                ))}
              </Note>
            )}
            {found.hours.length === 0 ? (
              <Empty title="Nothing was sent in this time" />
            ) : (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Hour</th>
                    <th>Environment</th>
                    <th>State</th>
                    {stages.map((stage) => (
                      <th key={stage} className="num" title={STAGE_MEANINGS[stage]}>
                        {STAGE_NAMES[stage]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {found.hours.map((each) => (
                    <tr key={`${each.hour} ${each.environment_id}`}>
                      <td data-label="Hour" className="nowrap">
                        {formatTime(each.hour, zone, "minute")}
                      </td>
                      <td data-label="Environment" className="mono">
                        {displayed(each.environment_id, 63)}
                      </td>
                      <td data-label="State">
                        <span className={`badge ${TONES[each.state]}`}>{each.state}</span>
                      </td>
                      {stages.map((stage) => (
                        <td key={stage} data-label={STAGE_NAMES[stage]} className="num">
                          {each[stage] === undefined ? "–" : decimalText(each[stage])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

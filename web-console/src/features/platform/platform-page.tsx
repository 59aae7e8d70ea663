import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { tenantBillsQuery } from "../../api/billing-queries";
import { metricsQuery, type Schemas } from "../../api/queries";
import { readyMade } from "../../dashboards/ready-made";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { saveFile } from "../../lib/files";
import { decimalText, moneyText, periodBeside, periodText } from "../../lib/money";
import { useScope } from "../../lib/scope";
import { csvOf } from "../../lib/series";
import { PageHead } from "../../ui/page";
import { PanelView } from "../../ui/panel-view";
import { PlatformTabs } from "../../ui/platform-tabs";
import { RangePicker } from "../../ui/range-picker";
import { Empty, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";

/** The organisation whose telemetry is the installation's own. */
const OWN = "org-self";

/** For who runs Tidemark: how its parts do, and what each tenant uses, costs and pays. */
export function PlatformPage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("metrics:read");
  if (organization !== OWN) {
    return (
      <>
        <PageHead title="Platform" />
        <Empty title="There is nothing here">
          <p>This page is about the installation, for those who run it.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Platform" note="Of this installation, by its own telemetry.">
        <RangePicker />
      </PageHead>
      <div className="stack wide">
        <PlatformTabs />
        {mayRead === false ? <Forbidden permission="metrics:read" what="see how the platform does" /> : mayRead === undefined ? <Skeleton /> : <Components />}
        <p className="row">
          More in the ready-made dashboards:
          {readyMade.map(({ name, dashboard }) => (
            <Link key={name} to="/o/$org/e/$env/dashboards/$dashboard" params={{ org: organization, env: environment, dashboard: name }}>
              {dashboard.title}
            </Link>
          ))}
        </p>
        <Tenants />
      </div>
    </>
  );
}

const NO_FILTER: never[] = [];

/** The first panels of the dashboards that come along, of what is sent. */
function Components() {
  const { organization, environment } = useScope();
  const metrics = useQuery(metricsQuery(organization, environment));
  return (
    <Loaded query={metrics} skeleton={<Skeleton rows={2} height={220} />}>
      {(all) => {
        const panels = readyMade.flatMap(({ dashboard }) => dashboard.panels.filter((panel) => all.some((metric) => metric.name === panel.metric)).slice(0, 2));
        return panels.length === 0 ? (
          <Empty title="The platform has sent nothing about itself yet">
            <p>Its first minute is there about a minute after the start.</p>
          </Empty>
        ) : (
          <div className="panels">
            {panels.map((panel, index) => (
              <PanelView key={`${index} ${panel.title}`} panel={{ ...panel, width: 1 }} where={NO_FILTER} metric={all.find((metric) => metric.name === panel.metric)} />
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

/** Of what the cost is, and what the month would be charged under each plan. */
function Bill({ bill }: { bill: Schemas["TenantBill"] }) {
  return (
    <section className="stack" aria-label={`Bill of ${displayed(bill.organization_id, 60)}`}>
      {bill.costs !== undefined && bill.costs.length > 0 && (
        <dl className="stats" aria-label="Costs to run">
          {bill.costs.map((each) => (
            <div key={each.meter} className="stat">
              <dt>
                {each.meter.replaceAll("_", " ")}, {decimalText(each.quantity)}
              </dt>
              <dd>{moneyText(each.cost, bill.currency)}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="stats" aria-label="Under each plan">
        {bill.by_plan.map((each) => (
          <div key={each.plan} className="stat">
            <dt>
              {displayed(each.plan, 60)}
              {each.plan === bill.plan && " (its own)"}
            </dt>
            <dd>{moneyText(each.charged, each.currency)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Against the month before, in percent; whole points as texts may be larger than any float is exact. */
function changeText(now: string, before: string): string {
  const [points, previous] = [BigInt(now), BigInt(before)];
  if (previous === 0n) return points === 0n ? "0 %" : "new";
  const percent = ((points - previous) * 100n) / previous;
  return `${percent > 0n ? "+" : percent < 0n ? "−" : ""}${decimalText((percent < 0n ? -percent : percent).toString())} %`;
}

/** The largest change first, as the API has them; a tenant opens to its costs and to what each plan would charge. */
export function Tenants() {
  const { organization } = useScope();
  const [opened, setOpened] = useState<string>();
  const mayRead = useAllowed("billing:write");
  const search = useSearch({ strict: false }) as { period?: unknown };
  const navigate = useNavigate();
  const month = new Date(useNow()).toISOString().slice(0, 7);
  const period = typeof search.period === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(search.period) ? search.period : month;
  const bills = useInfiniteQuery({ ...tenantBillsQuery(organization, period), enabled: mayRead === true });
  const put = (next: string) => void navigate({ to: ".", search: ((before: object) => ({ ...before, period: next === month ? undefined : next })) as never });
  return (
    <section className="section ruled stack" aria-label="Tenants">
      <div className="row between">
        <h2>Tenants, those that changed most first</h2>
        <span className="row">
          <Button variant="default" aria-label="The month before" onClick={() => put(periodBeside(period, -1))}>
            <IconChevronLeft size={14} aria-hidden />
          </Button>
          <span className="nowrap">{periodText(period)}</span>
          <Button variant="default" aria-label="The month after" disabled={period >= month} onClick={() => put(periodBeside(period, 1))}>
            <IconChevronRight size={14} aria-hidden />
          </Button>
        </span>
      </div>
      {mayRead === false ? (
        <Forbidden permission="billing:write" what="see what tenants pay" />
      ) : (
        <Loaded query={bills}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.data);
            return all.length === 0 ? (
              <Empty title="No tenant used anything in this month" />
            ) : (
              <>
                <Button
                  variant="default"
                  w="fit-content"
                  leftSection={<IconDownload size={14} aria-hidden />}
                  onClick={() => saveFile(`tenants-${period}.csv`, "text/csv", csvOf([["organization", "plan", "points", "points_before", "charged", "cost", "left", "currency"], ...all.map((each) => [each.organization_id, each.plan, each.points, each.previous_points, each.charged, each.cost ?? "", each.margin ?? "", each.currency])]))}
                >
                  CSV
                </Button>
                <table className="data as-list">
                  <thead>
                    <tr>
                      <th>Organisation</th>
                      <th>Plan</th>
                      <th className="num">Points</th>
                      <th className="num">The month before</th>
                      <th className="num">Change</th>
                      <th className="num">Costs to run</th>
                      <th className="num">Charged</th>
                      <th className="num">Left</th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((each) => (
                      <Fragment key={each.organization_id}>
                        <tr>
                          <td data-label="Organisation" className="mono break">
                            <button type="button" className="plain-button mono break" aria-expanded={opened === each.organization_id} onClick={() => setOpened(opened === each.organization_id ? undefined : each.organization_id)}>
                              {displayed(each.organization_id, 60)}
                            </button>
                          </td>
                          <td data-label="Plan">{displayed(each.plan, 60)}</td>
                          <td data-label="Points" className="num">
                            {decimalText(each.points)}
                          </td>
                          <td data-label="The month before" className="num">
                            {decimalText(each.previous_points)}
                          </td>
                          <td data-label="Change" className="num">
                            {changeText(each.points, each.previous_points)}
                          </td>
                          <td data-label="Costs to run" className="num">
                            {each.cost === undefined ? "–" : moneyText(each.cost, each.currency)}
                          </td>
                          <td data-label="Charged" className="num">
                            {moneyText(each.charged, each.currency)}
                          </td>
                          <td data-label="Left" className={each.margin?.startsWith("-") ? "num warn" : "num"}>
                            {each.margin === undefined ? "–" : moneyText(each.margin, each.currency)}
                          </td>
                        </tr>
                        {opened === each.organization_id && (
                          <tr>
                            <td colSpan={8}>
                              <Bill bill={each} />
                            </td>
                          </tr>
                        )}
                      </Fragment>
                    ))}
                  </tbody>
                </table>
                {all.every((each) => each.cost === undefined) && <Note>What units cost to run is not set for this installation, so no costs are shown.</Note>}
                {bills.hasNextPage && (
                  <Button variant="default" w="fit-content" loading={bills.isFetchingNextPage} onClick={() => void bills.fetchNextPage()}>
                    Show more
                  </Button>
                )}
              </>
            );
          }}
        </Loaded>
      )}
    </section>
  );
}

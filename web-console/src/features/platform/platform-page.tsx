import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { tenantBillsQuery } from "../../api/billing-queries";
import { metricsQuery } from "../../api/queries";
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

function Tenants() {
  const { organization } = useScope();
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
                  onClick={() => saveFile(`tenants-${period}.csv`, "text/csv", csvOf([["organization", "plan", "points", "points_before", "charged", "cost", "currency"], ...all.map((each) => [each.organization_id, each.plan, each.points, each.previous_points, each.charged, each.cost ?? "", each.currency])]))}
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
                      <th className="num">Costs to run</th>
                      <th className="num">Charged</th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((each) => (
                      <tr key={each.organization_id}>
                        <td data-label="Organisation" className="mono break">
                          {displayed(each.organization_id, 60)}
                        </td>
                        <td data-label="Plan">{displayed(each.plan, 60)}</td>
                        <td data-label="Points" className="num">
                          {decimalText(each.points)}
                        </td>
                        <td data-label="The month before" className="num">
                          {decimalText(each.previous_points)}
                        </td>
                        <td data-label="Costs to run" className="num">
                          {each.cost === undefined ? "–" : moneyText(each.cost, each.currency)}
                        </td>
                        <td data-label="Charged" className="num" title={each.by_plan.map((price) => `${price.plan}: ${price.charged} ${price.currency}`).join(", ")}>
                          {moneyText(each.charged, each.currency)}
                        </td>
                      </tr>
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

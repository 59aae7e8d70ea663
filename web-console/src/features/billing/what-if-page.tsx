import { ActionIcon, Button, NumberInput, Select } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { body, control } from "../../api/client";
import { metricsQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { moneyText, periodBeside, periodText } from "../../lib/money";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

type Kept = Schemas["WhatIfMetric"];

/** The changes of an address; whatever makes no sense is left out. */
function keptOf(value: unknown): Kept[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 100)
    .filter((each): each is [string, number] => Array.isArray(each) && typeof each[0] === "string" && Number.isInteger(each[1]) && each[1] >= 0 && each[1] <= 100)
    .map(([metric, keep]) => ({ metric, keep_percent: keep }));
}

/** What a month would cost if less of some metrics were sent, and which alerts would see less. */
export function WhatIfPage() {
  const mayRead = useAllowed("billing:read");
  return (
    <>
      <PageHead title="What if" note="Prices a month again as if less of a metric had been sent. Nothing is changed." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? <Forbidden permission="billing:read" what="price a month" /> : mayRead === undefined ? <Skeleton /> : <Question />}
      </div>
    </>
  );
}

function Question() {
  const { organization, environment } = useScope();
  const search = useSearch({ strict: false }) as { period?: unknown; keep?: unknown };
  const navigate = useNavigate();
  const month = new Date(useNow()).toISOString().slice(0, 7);
  const months = Array.from({ length: 6 }, (_, index) => periodBeside(month, -index));
  const period = months.find((each) => each === search.period) ?? month;
  const kept = keptOf(search.keep);
  const catalogue = useQuery({ ...metricsQuery(organization, environment), enabled: useAllowed("catalog:read") === true });
  const names = [...new Set(catalogue.data?.map((each) => each.name) ?? [])].filter((name) => !kept.some((each) => each.metric === name)).sort();
  const [metric, setMetric] = useState<string | null>(null);
  const [keep, setKeep] = useState<number | string>(0);
  const put = (next: Kept[]) => void navigate({ to: ".", search: ((before: object) => ({ ...before, keep: next.length > 0 ? next.map((each) => [each.metric, each.keep_percent]) : undefined })) as never });
  return (
    <div className="stack wide">
      <div className="row end">
        <Select label="Month" w={160} data={months.map((value) => ({ value, label: periodText(value) }))} value={period} onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, period: value === month ? undefined : (value ?? undefined) })) as never })} />
        <Select label="Metric" searchable limit={200} w={280} placeholder="Choose a metric" nothingFoundMessage="No metric has a name like this" data={names} value={metric} onChange={setMetric} />
        <NumberInput label="Percent that is left" w={140} min={0} max={100} allowDecimal={false} value={keep} onChange={setKeep} />
        <Button
          variant="default"
          disabled={metric === null || typeof keep !== "number"}
          onClick={() => {
            if (metric !== null && typeof keep === "number") put([...kept, { metric, keep_percent: keep }]);
            setMetric(null);
          }}
        >
          Add metric
        </Button>
      </div>
      {kept.length === 0 ? (
        <Empty title="Nothing is left out yet">
          <p>Choose a metric of this environment and how much of it would be left: 0 as if it had not been sent at all.</p>
        </Empty>
      ) : (
        <>
          <ul className="plain-list" aria-label="What would be left">
            {kept.map((each, index) => (
              <li key={each.metric} className="row">
                <span className="mono break">{displayed(each.metric, 120)}</span>
                <span>{each.keep_percent === 0 ? "not sent" : `${each.keep_percent} % of it`}</span>
                <ActionIcon size={20} variant="subtle" color="gray" aria-label={`Leave ${displayed(each.metric, 60)} as it is`} onClick={() => put(kept.filter((_, other) => other !== index))}>
                  <IconX size={12} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
          <Answer period={period} kept={kept} />
        </>
      )}
    </div>
  );
}

function Answer({ period, kept }: { period: string; kept: Kept[] }) {
  const { organization, environment } = useScope();
  const answer = useQuery({
    queryKey: [organization, "what-if", period, kept],
    queryFn: () => body(control.POST("/api/v1/organizations/{organization_id}/usage/what-if", { params: { path: { organization_id: organization } }, body: { period, metrics: kept } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={answer} skeleton={<Skeleton rows={2} height={60} />}>
      {(found) => (
        <div className="stack">
          <dl className="stats">
            <div className="stat">
              <dt>{periodText(found.current.period)} as it is</dt>
              <dd>{moneyText(found.current.subtotal, found.current.currency)}</dd>
            </div>
            <div className="stat">
              <dt>As asked</dt>
              <dd>{moneyText(found.preview.subtotal, found.preview.currency)}</dd>
            </div>
            <div className="stat">
              <dt>Difference</dt>
              <dd className={found.difference.startsWith("-") ? "ok" : ""}>{moneyText(found.difference, found.current.currency)}</dd>
            </div>
          </dl>
          {found.affected_rules.length > 0 && (
            <Note tone="warn">
              Alert rules that would see less:{" "}
              {found.affected_rules.map((rule, index) => (
                <span key={rule.alert_rule_id}>
                  {index > 0 && ", "}
                  {rule.environment_id === environment ? (
                    <Link to={"/o/$org/e/$env/alerts/rules/$rule" as string} params={{ org: organization, env: environment, rule: rule.alert_rule_id } as never}>
                      {displayed(rule.name, 80)}
                    </Link>
                  ) : (
                    `${displayed(rule.name, 80)} in ${rule.environment_id}`
                  )}
                </span>
              ))}
              .
            </Note>
          )}
        </div>
      )}
    </Loaded>
  );
}

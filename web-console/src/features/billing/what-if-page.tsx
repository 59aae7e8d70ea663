import { ActionIcon, Button, NumberInput, Select } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { body, control } from "../../api/client";
import { environmentsQuery, metricsQuery, retentionQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { decimalText, moneyText, periodBeside, periodText } from "../../lib/money";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";
import { addressOf, changesOf, isNothing, LEVELS, losses, percentLeft, questionOf, textOf, type Changes, type Level } from "./what-if";

const CARDINALITY = "/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality" as const;

/** What a month would cost with less, and what would miss it. */
export function WhatIfPage() {
  const mayRead = useAllowed("billing:read");
  return (
    <>
      <PageHead title="What if" note="Prices a month again as if less had been sent, counted or kept. Nothing is changed." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? <Forbidden permission="billing:read" what="price a month" /> : mayRead === undefined ? <Skeleton /> : <Question />}
      </div>
    </>
  );
}

function Question() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const month = new Date(useNow()).toISOString().slice(0, 7);
  const months = Array.from({ length: 6 }, (_, index) => periodBeside(month, -index));
  const period = months.find((each) => each === search.period) ?? month;
  const changes = changesOf(search);
  const put = (next: Partial<Changes>) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...addressOf({ ...changes, ...next }) })) as never });
  return (
    <div className="stack wide">
      <Select label="Month" w={160} data={months.map((value) => ({ value, label: periodText(value) }))} value={period} onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, period: value === month ? undefined : (value ?? undefined) })) as never })} />
      <MetricForm changes={changes} put={put} />
      <LabelForm changes={changes} put={put} />
      <RetentionForm changes={changes} put={put} />
      <BudgetForm changes={changes} put={put} />
      {isNothing(changes) ? (
        <Empty title="Nothing is left out yet">
          <p>Choose how much of a metric would be left, a label to drop or split, a shorter retention, or a budget of series.</p>
        </Empty>
      ) : (
        <>
          <Chosen changes={changes} put={put} />
          <Answer period={period} changes={changes} />
        </>
      )}
    </div>
  );
}

interface FormProps {
  changes: Changes;
  put: (next: Partial<Changes>) => void;
}

/** Names of the metrics of this environment, for a choice. */
function useMetricNames(): string[] {
  const { organization, environment } = useScope();
  const catalogue = useQuery({ ...metricsQuery(organization, environment), enabled: useAllowed("catalog:read") === true });
  return [...new Set(catalogue.data?.map((each) => each.name) ?? [])].sort();
}

function MetricForm({ changes, put }: FormProps) {
  const names = useMetricNames().filter((name) => !changes.keep.some(([metric]) => metric === name));
  const [metric, setMetric] = useState<string | null>(null);
  const [keep, setKeep] = useState<number | string>(0);
  return (
    <div className="row end">
      <Select label="Metric" searchable limit={200} w={280} placeholder="Choose a metric" nothingFoundMessage="No metric has a name like this" data={names} value={metric} onChange={setMetric} />
      <NumberInput label="Percent that is left" w={140} min={0} max={100} allowDecimal={false} value={keep} onChange={setKeep} />
      <Button
        variant="default"
        disabled={metric === null || typeof keep !== "number"}
        onClick={() => {
          if (metric !== null && typeof keep === "number") put({ keep: [...changes.keep, [metric, keep]] });
          setMetric(null);
        }}
      >
        Add metric
      </Button>
    </div>
  );
}

/** Counts the series that would be left in stored rows; a percentage that somebody guesses is none. */
function LabelForm({ changes, put }: FormProps) {
  const { organization, environment } = useScope();
  const mayCount = useAllowed("catalog:read") === true;
  const names = useMetricNames();
  const [metric, setMetric] = useState<string | null>(null);
  const [label, setLabel] = useState<string | null>(null);
  const [action, setAction] = useState<Schemas["CardinalityAction"]>("drop");
  const path = { organization_id: organization, environment_id: environment };
  const labels = useQuery({
    queryKey: [organization, environment, "cardinality-labels", metric],
    queryFn: () => body(control.GET(`${CARDINALITY}/labels`, { params: { path, query: { metric: metric ?? "" } } })),
    enabled: mayCount && metric !== null,
    staleTime: 60_000,
  });
  const known = labels.data?.data.filter((each) => action === "drop" || (each.label.startsWith("metric.") && !each.is_split)).map((each) => each.label) ?? [];
  const count = useMutation({
    mutationFn: (asked: { metric: string; label: string }) => body(control.GET(`${CARDINALITY}/what-if`, { params: { path, query: { ...asked, action } } })),
    onSuccess: (effect) => {
      // Of one metric the API takes one percentage, so another label takes the place of the first.
      put({ labels: [...changes.labels.filter(([other]) => other !== effect.metric), [effect.metric, effect.label, effect.action, percentLeft(effect.series, effect.series_after)]] });
      setLabel(null);
    },
  });
  return (
    <div className="stack">
      <div className="row end">
        <Select
          label="Metric with the label"
          searchable
          limit={200}
          w={280}
          placeholder="Choose a metric"
          nothingFoundMessage="No metric has a name like this"
          data={names}
          value={metric}
          onChange={(value) => {
            setMetric(value);
            setLabel(null);
          }}
        />
        <Select label="Label" searchable w={220} disabled={metric === null} placeholder={labels.isFetching ? "Labels are counted" : "Choose a label"} nothingFoundMessage="The metric has no such label" data={known} value={label} onChange={setLabel} />
        <Select
          label="Is"
          w={110}
          data={[
            { value: "drop", label: "dropped" },
            { value: "split", label: "split" },
          ]}
          value={action}
          onChange={(value) => {
            setAction(value === "split" ? "split" : "drop");
            setLabel(null);
          }}
        />
        <Button variant="default" loading={count.isPending} disabled={metric === null || label === null} onClick={() => metric !== null && label !== null && count.mutate({ metric, label })}>
          Count and add label
        </Button>
      </div>
      {labels.error && <Failure fault={labels.error} retry={() => void labels.refetch()} />}
      {count.error && <Failure fault={count.error} />}
    </div>
  );
}

function RetentionForm({ changes, put }: FormProps) {
  const { organization, environment } = useScope();
  const policy = useQuery({ ...retentionQuery(organization, environment), enabled: useAllowed("retention:read") === true });
  const [level, setLevel] = useState<Level | null>(null);
  const [now, setNow] = useState<number | string>("");
  const [then, setThen] = useState<number | string>("");
  const free = LEVELS.filter((each) => !changes.retention.some(([other]) => other === each.level));
  const isWhole = (value: number | string): value is number => typeof value === "number" && value >= 1;
  return (
    <div className="row end">
      <Select
        label="Rows"
        w={200}
        placeholder="Choose what is kept"
        data={free.map((each) => ({ value: each.level, label: each.text }))}
        value={level}
        onChange={(value) => {
          const chosen = LEVELS.find((each) => each.level === value);
          setLevel(chosen?.level ?? null);
          setNow((chosen && policy.data?.data.policy[chosen.days]) ?? "");
        }}
      />
      <NumberInput label="Days kept now" w={130} min={1} max={36_500} allowDecimal={false} placeholder="without limit" value={now} onChange={setNow} />
      <NumberInput label="Days kept then" w={130} min={1} max={36_500} allowDecimal={false} value={then} onChange={setThen} />
      <Button
        variant="default"
        disabled={level === null || !isWhole(now) || !isWhole(then) || then > now}
        onClick={() => {
          if (level !== null && isWhole(now) && isWhole(then)) put({ retention: [...changes.retention, [level, now, then]] });
          setLevel(null);
          setThen("");
        }}
      >
        Add retention
      </Button>
    </div>
  );
}

function BudgetForm({ changes, put }: FormProps) {
  const { organization, environment: here } = useScope();
  const environments = useQuery({ ...environmentsQuery(organization), enabled: useAllowed("environments:read") === true });
  const [environment, setEnvironment] = useState<string | null>(here);
  const [series, setSeries] = useState<number | string>("");
  const free = (environments.data?.map((each) => each.id) ?? [here]).filter((id) => !changes.budgets.some(([other]) => other === id));
  return (
    <div className="row end">
      <Select label="Environment" searchable w={220} data={free} value={environment !== null && free.includes(environment) ? environment : null} onChange={setEnvironment} />
      <NumberInput label="Most series an hour" w={160} min={0} allowDecimal={false} thousandSeparator="," value={series} onChange={setSeries} />
      <Button
        variant="default"
        disabled={environment === null || !free.includes(environment) || typeof series !== "number"}
        onClick={() => {
          if (environment !== null && typeof series === "number") put({ budgets: [...changes.budgets, [environment, series]] });
          setSeries("");
        }}
      >
        Add series budget
      </Button>
    </div>
  );
}

function Chosen({ changes, put }: FormProps) {
  const without = <T,>(list: T[], index: number) => list.filter((_, other) => other !== index);
  return (
    <ul className="plain-list" aria-label="What would be left">
      {changes.keep.map(([metric, percent], index) => (
        <Choice key={`keep ${metric}`} name={metric} text={percent === 0 ? "not sent" : `${percent} % of it`} onRemove={() => put({ keep: without(changes.keep, index) })} />
      ))}
      {changes.labels.map(([metric, label, action, percent], index) => (
        <Choice key={`label ${metric}`} name={metric} text={`${action === "drop" ? "without" : "split by"} ${displayed(label, 120)}: ${percent} % of its series`} onRemove={() => put({ labels: without(changes.labels, index) })} />
      ))}
      {changes.retention.map(([level, now, then], index) => (
        <Choice key={`retention ${level}`} name={textOf(level)} text={`${then} days instead of ${now}: ${percentLeft(now, then)} % of the bytes, once the time has passed`} onRemove={() => put({ retention: without(changes.retention, index) })} />
      ))}
      {changes.budgets.map(([environment, series], index) => (
        <Choice key={`budget ${environment}`} name={environment} text={`at most ${decimalText(String(series))} series an hour`} onRemove={() => put({ budgets: without(changes.budgets, index) })} />
      ))}
    </ul>
  );
}

function Choice({ name, text, onRemove }: { name: string; text: string; onRemove: () => void }) {
  return (
    <li className="row">
      <span className="mono break">{displayed(name, 120)}</span>
      <span>{text}</span>
      <ActionIcon size={20} variant="subtle" color="gray" aria-label={`Leave ${displayed(name, 60)} as it is`} onClick={onRemove}>
        <IconX size={12} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function Answer({ period, changes }: { period: string; changes: Changes }) {
  const { organization } = useScope();
  const question = questionOf(period, changes);
  const answer = useQuery({
    queryKey: [organization, "what-if", question],
    queryFn: () => body(control.POST("/api/v1/organizations/{organization_id}/usage/what-if", { params: { path: { organization_id: organization } }, body: question })),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={answer} skeleton={<Skeleton rows={2} height={60} />}>
      {(found) => (
        <div className="stack" aria-live="polite">
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
          {/^-?0+(\.0+)?$/.test(found.difference) && <p className="quiet small">The plan of this month has no price for what would be less.</p>}
          <Missed found={found} changes={changes} />
        </div>
      )}
    </Loaded>
  );
}

/** Who reads what would be less, and what cannot be asked any more. */
function Missed({ found, changes }: { found: Schemas["WhatIf"]; changes: Changes }) {
  const { organization, environment } = useScope();
  const dashboards = found.affected_dashboards ?? [];
  const reads = (found.reads ?? []).filter((each) => each.queries !== "0");
  const lost = losses(changes);
  if (found.affected_rules.length === 0 && dashboards.length === 0 && reads.length === 0 && lost.length === 0) {
    return <p className="quiet">No alert rule, dashboard or query of the last 30 days reads what would be less.</p>;
  }
  return (
    <section className="section ruled stack" aria-label="What would miss it">
      <h2>What would miss it</h2>
      {found.affected_rules.length > 0 && (
        <Note tone="warn">
          Alert rules that would see less:{" "}
          <List
            items={found.affected_rules.map((rule) => ({
              key: `${rule.environment_id} ${rule.alert_rule_id} ${rule.metric}`,
              shown:
                rule.environment_id === environment ? (
                  <Link to={"/o/$org/e/$env/alerts/rules/$rule" as string} params={{ org: organization, env: environment, rule: rule.alert_rule_id } as never}>
                    {displayed(rule.name, 80)}
                  </Link>
                ) : (
                  `${displayed(rule.name, 80)} in ${rule.environment_id}`
                ),
            }))}
          />
        </Note>
      )}
      {dashboards.length > 0 && (
        <Note tone="warn">
          Dashboards that would show less:{" "}
          <List
            items={dashboards.map((each) => ({
              key: `${each.dashboard_id} ${each.metric}`,
              shown: (
                <Link to="/o/$org/e/$env/dashboards/$dashboard" params={{ org: organization, env: environment, dashboard: each.dashboard_id }}>
                  {displayed(each.title, 80)}
                </Link>
              ),
            }))}
          />
        </Note>
      )}
      {reads.length > 0 && (
        <Note tone="warn">
          Queries of the last 30 days:{" "}
          <List items={reads.map((each) => ({ key: each.metric, shown: `${decimalText(each.queries)} of ${displayed(each.metric, 80)}` }))} />
        </Note>
      )}
      {lost.length > 0 && (
        <ul aria-label="What could not be asked any more">
          {lost.map((each) => (
            <li key={each}>{displayed(each, 500)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** With commas between them and a point behind the last. */
function List({ items }: { items: { key: string; shown: ReactNode }[] }) {
  return (
    <>
      {items.map((item, index) => (
        <span key={item.key}>
          {index > 0 && ", "}
          {item.shown}
        </span>
      ))}
      .
    </>
  );
}

import { Button, Select, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { body, control } from "../../api/client";
import { Problem } from "../../api/problem";
import { displayed } from "../../lib/displayed";
import { moneyText } from "../../lib/money";
import { count, exactFigure, shortFigure } from "../../lib/numbers";
import { useScope } from "../../lib/scope";
import { Code } from "../../ui/code";
import { PageHead } from "../../ui/page";
import { PlatformTabs } from "../../ui/platform-tabs";
import { Failure, Loaded, Note, Skeleton } from "../../ui/states";
import { changesOf, commandOf, faultOf, faultsByField, faultsOf, figure, GROUPS, MACHINES, textsOf, writtenOf, type FieldName, type LoadTexts, type NumberField } from "./load";
import { amountText, bindingOf, bindsText, costsOf, gainText, nodesOf, RESOURCES, shareText, type Part, type Plan } from "./plan";

/** The organisation of those who run the installation. */
const OWN = "org-self";

const sizing = (query: LoadTexts) => ({
  queryKey: ["sizing", query],
  queryFn: () => body(control.GET("/api/v1/sizing", { params: { query: query as never } })),
  staleTime: 5 * 60_000,
});

/** How many machines a load needs, what they cost, and what binds first. */
export function SizingPage() {
  const { organization } = useScope();
  const usual = useQuery(sizing({}));
  return (
    <>
      <PageHead title="Sizing" note="How many machines a load needs, what they cost and what binds first. Arithmetic from measured costs and this installation's prices; nothing is changed." />
      <div className="stack">
        {organization === OWN && <PlatformTabs />}
        <Loaded query={usual} skeleton={<Skeleton rows={8} height={48} />}>
          {(plan) => <Sizing usual={plan} />}
        </Loaded>
      </div>
    </>
  );
}

function Sizing({ usual }: { usual: Plan }) {
  const search = textsOf(useSearch({ strict: false }) as Record<string, unknown>);
  const plan = useQuery({ ...sizing(search), placeholderData: keepPreviousData });
  const said = plan.error instanceof Problem && plan.error.status === 400 ? faultsByField([plan.error.detail, ...plan.error.faults]) : {};
  // What the fields show themselves is not said once more.
  const isOfFields = Object.keys(said).length > 0;
  return (
    <div className="stack wide">
      <Form key={JSON.stringify(search)} usual={usual} search={search} said={said} isPending={plan.isFetching} />
      {isOfFields ? (
        <Note tone="warn">Correct the marked fields; nothing was computed.</Note>
      ) : plan.error && plan.isError ? (
        <Failure fault={plan.error} retry={() => void plan.refetch()} />
      ) : (
        <Loaded query={plan} skeleton={<Skeleton rows={6} height={60} />}>
          {(found) => <Result plan={found} search={search} />}
        </Loaded>
      )}
    </div>
  );
}

function Form({ usual, search, said, isPending }: { usual: Plan; search: LoadTexts; said: LoadTexts; isPending: boolean }) {
  const navigate = useNavigate();
  const initial = writtenOf(search);
  const [texts, setTexts] = useState<LoadTexts>(initial);
  const [faults, setFaults] = useState<LoadTexts>({});
  const put = (name: FieldName, text: string) => setTexts({ ...texts, [name]: text });
  const show = (next: Record<string, unknown>) =>
    void navigate({ to: ".", search: ((before: Record<string, unknown>) => ({ ...Object.fromEntries(Object.entries(before).filter(([name]) => !(name in usual.load))), ...next })) as never });
  const input = (field: NumberField) => (
    <TextInput
      key={field.name}
      label={field.label}
      description={field.hint}
      inputWrapperOrder={["label", "input", "description", "error"]}
      inputMode="decimal"
      value={texts[field.name] ?? figure(usual.load[field.name] as number)}
      error={faults[field.name] ?? (texts[field.name] === initial[field.name] ? said[field.name] : undefined)}
      onChange={(event) => {
        put(field.name, event.currentTarget.value);
        setFaults({ ...faults, [field.name]: undefined });
      }}
      onBlur={() => {
        const text = texts[field.name];
        setFaults({ ...faults, [field.name]: text === undefined ? undefined : faultOf(field, text) });
      }}
    />
  );
  const isUsual = Object.keys(search).length === 0 && Object.keys(texts).length === 0;
  const [sent, kept, more] = GROUPS;
  return (
    <form
      className="stack"
      aria-label="Load"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = faultsOf(texts);
        setFaults(found);
        if (Object.keys(found).length === 0) show(changesOf(texts, usual.load));
      }}
    >
      {[sent, kept].map(
        (group) =>
          group && (
            <fieldset key={group.title} className="plain-fieldset">
              <legend>{group.title}</legend>
              <div className="form-grid sizing-form">{group.fields.map(input)}</div>
            </fieldset>
          ),
      )}
      <fieldset className="plain-fieldset">
        <legend>On which machines</legend>
        <div className="form-grid sizing-form">
          {MACHINES.map(({ name, label, of }) => (
            <Select
              key={name}
              label={label}
              allowDeselect={false}
              data={usual[of]}
              value={texts[name] ?? usual.load[name]}
              error={texts[name] === initial[name] ? said[name] : undefined}
              onChange={(value) => value !== null && put(name, value)}
            />
          ))}
        </div>
      </fieldset>
      {more && (
        <details className="sizing-more" open={more.fields.some(({ name }) => search[name] !== undefined || faults[name] !== undefined)}>
          <summary>Late points, split series, copies in Druid</summary>
          <div className="form-grid sizing-form">{more.fields.map(input)}</div>
        </details>
      )}
      <div className="row">
        <Button type="submit" loading={isPending}>
          Compute
        </Button>
        {!isUsual && (
          <Button
            variant="default"
            onClick={() => {
              setTexts({});
              setFaults({});
              show({});
            }}
          >
            As usual
          </Button>
        )}
      </div>
    </form>
  );
}

function Result({ plan, search }: { plan: Plan; search: LoadTexts }) {
  const first = plan.parts.find((part) => part.name === plan.binding_part);
  return (
    <div className="stack wide" aria-live="polite">
      <section className="section ruled stack" aria-label="In short">
        <dl className="stats sizing-stats">
          <Stat name="A month">{moneyText(plan.total_cost, plan.currency)}</Stat>
          <Stat name="Nodes">{count(nodesOf(plan))}</Stat>
          <Stat name="Into Kafka" exact={`${exactFigure(plan.produced)} MB/s`}>
            {amountText(plan.produced, "megabytes_per_second")}
          </Stat>
          <Stat name="Out of Kafka" exact={`${exactFigure(plan.consumed)} MB/s`}>
            {amountText(plan.consumed, "megabytes_per_second")}
          </Stat>
          <Stat name="Rows a second" exact={exactFigure(plan.rows)}>
            {shortFigure(plan.rows)}
          </Stat>
          <Stat name="Slots of the rollup job">{count(plan.slots)}</Stat>
          <Stat name="In the lake">{amountText(plan.lake_gigabytes, "gigabytes")}</Stat>
          <Stat name="Between zones, a month">{amountText(plan.zone_gigabytes, "gigabytes")}</Stat>
        </dl>
        {plan.limits.map((limit) => (
          <Note key={limit} tone="danger">
            Does not fit: {limit}.
          </Note>
        ))}
        {first && <First part={first} currency={plan.currency} />}
      </section>
      <Parts plan={plan} />
      <div className="panels">
        <Utilisation plan={plan} />
        <Costs plan={plan} />
      </div>
      <section className="section ruled stack" aria-label="How it was computed">
        <h2>How it was computed</h2>
        <p>The same on the command line of a checkout:</p>
        <Code label="Command" text={commandOf(search)} />
        <details>
          <summary>{plan.assumptions.length} figures were assumed, not measured</summary>
          <ul>
            {plan.assumptions.map((each) => (
              <li key={each} className="break">
                {displayed(each, 300)}
              </li>
            ))}
          </ul>
        </details>
        <p className="quiet small">Not in it: memory of Druid's indexers and brokers, IOPS, requests to object storage, PostgreSQL, traffic to the outside, discounts. No cluster of these sizes was run.</p>
      </section>
    </div>
  );
}

function Stat({ name, exact, children }: { name: string; exact?: string; children: string }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd title={exact}>{children}</dd>
    </div>
  );
}

function First({ part, currency }: { part: Part; currency: string }) {
  const binding = bindingOf(part);
  return (
    <p>
      <strong>First to bind: {displayed(part.name, 60)}</strong>
      {binding && (
        <>
          , with {shareText(binding.utilization)} of the {RESOURCES[binding.resource]} that {count(part.nodes)} × {displayed(part.machine, 60)} are planned for
        </>
      )}
      . One more node buys {gainText(part)}, for {moneyText(part.node_cost, currency)} a month.
    </p>
  );
}

function Parts({ plan }: { plan: Plan }) {
  return (
    <section className="section ruled stack" aria-label="What is needed">
      <h2>What is needed</h2>
      <div className="table-scroll">
        <table className="data as-list">
          <thead>
            <tr>
              <th>Part</th>
              <th>Machine</th>
              <th className="num">Nodes</th>
              <th className="num">Slots</th>
              <th className="num">Busy cores</th>
              <th className="num">Disk</th>
              <th>What binds</th>
              <th>One more node buys</th>
              <th className="num">A month</th>
            </tr>
          </thead>
          <tbody>
            {plan.parts.map((part) => (
              <tr key={part.name}>
                <td data-label="Part">
                  {displayed(part.name, 60)} {part.name === plan.binding_part && <span className="badge warn">binds first</span>}
                </td>
                <td data-label="Machine" className="mono">
                  {displayed(part.machine, 60)}
                </td>
                <td data-label="Nodes" className="num">
                  {count(part.nodes)}
                </td>
                <td data-label="Slots" className="num">
                  {part.slots === undefined ? "–" : count(part.slots)}
                </td>
                <td data-label="Busy cores" className="num">
                  {part.busy_cores === 0 ? "–" : shortFigure(part.busy_cores)}
                </td>
                <td data-label="Disk" className="num" title={part.disk_gigabytes === 0 ? undefined : `${exactFigure(part.disk_gigabytes)} GB`}>
                  {part.disk_gigabytes === 0 ? "–" : amountText(part.disk_gigabytes, "gigabytes")}
                </td>
                <td data-label="What binds">{bindsText(part)}</td>
                <td data-label="One more node buys">{gainText(part)}</td>
                <td data-label="A month" className="num">
                  {moneyText(part.cost, plan.currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** How full each resource is; the one that binds a part is marked by form and word, not by colour alone. */
function Utilisation({ plan }: { plan: Plan }) {
  return (
    <section className="panel stack" aria-label="Utilisation">
      <h2>Utilisation of what is planned for</h2>
      <ul className="plain-list">
        {plan.parts
          .filter((part) => part.resources.length > 0)
          .map((part) => (
            <li key={part.name}>
              <h3>{displayed(part.name, 60)}</h3>
              <ul className="plain-list sizing-bars">
                {part.resources.map((use) => {
                  const binds = use.resource === part.binding;
                  return (
                    <li key={use.resource} className={binds ? "sizing-bar binds" : "sizing-bar"} title={`${exactFigure(use.used)} of ${exactFigure(use.planned)} ${use.unit.replaceAll("_", " ")}`}>
                      <span>
                        {RESOURCES[use.resource]}
                        {binds && <span className="hidden">, binds</span>}
                      </span>
                      <span className="sizing-track" aria-hidden>
                        <span className="bar" style={{ width: `${Math.min(100, use.utilization * 100)}%` }} />
                      </span>
                      <span className="figure">{shareText(use.utilization)}</span>
                    </li>
                  );
                })}
              </ul>
            </li>
          ))}
      </ul>
      <p className="quiet small">The resource in bold binds its part. 100 % is what is planned for: 80 % of what brokers sustain, the share of busy cores of the others.</p>
    </section>
  );
}

function Costs({ plan }: { plan: Plan }) {
  return (
    <section className="panel stack" aria-label="Cost of a month">
      <h2>Cost of a month</h2>
      <table className="data">
        <thead>
          <tr>
            <th>For</th>
            <th className="bar-cell wide-only" aria-hidden />
            <th className="num">Share</th>
            <th className="num">{displayed(plan.currency, 12)}</th>
          </tr>
        </thead>
        <tbody>
          {costsOf(plan).map((each) => (
            <tr key={each.name}>
              <td>{displayed(each.name, 60)}</td>
              <td className="bar-cell wide-only" aria-hidden>
                <span className="bar" style={{ width: `${each.share * 100}%` }} />
              </td>
              <td className="num">{shareText(each.share)}</td>
              <td className="num">{moneyText(each.cost, "").trim()}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">In all</th>
            <td className="bar-cell wide-only" aria-hidden />
            <td />
            <td className="num">
              <strong>{moneyText(plan.total_cost, "").trim()}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

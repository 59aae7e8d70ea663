import { Button, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { integrationsQuery } from "../../api/alert-queries";
import { creditsQuery, spendingBudgetQuery } from "../../api/billing-queries";
import { body, control, once, read } from "../../api/client";
import { Problem } from "../../api/problem";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { budgetFormOf, budgetOf, moneyText, periodText, shareOf, type BudgetFaults, type BudgetForm } from "../../lib/money";
import { count } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { useVersionedForm } from "../../lib/versioned-form";
import { Outdated } from "../../ui/outdated";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

/** What the organisation wants to spend in a month, how the month stands, and what is paid ahead. */
export function BudgetPage() {
  const { organization } = useScope();
  const mayRead = useAllowed("billing:read");
  const budget = useQuery({ ...spendingBudgetQuery(organization), enabled: mayRead === true });
  return (
    <>
      <PageHead title="Budget and credits" note="A budget tells people before money is gone; it stops nothing unless you say so." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? (
          <Forbidden permission="billing:read" what="see the budget" />
        ) : mayRead === undefined ? (
          <Skeleton />
        ) : (
          <div className="stack wide">
            <Loaded query={budget}>
              {({ data, etag }) => (
                <>
                  <Standing budget={data} />
                  <Form key={organization} budget={data} etag={etag} />
                </>
              )}
            </Loaded>
            <Credits />
          </div>
        )}
      </div>
    </>
  );
}

function Standing({ budget }: { budget: Schemas["SpendingBudget"] }) {
  const { zone } = useView();
  const amount = budget.budget.amount;
  const share = amount ? shareOf(budget.spent, amount) : 0;
  return (
    <section className="stack" aria-label="How the month stands">
      <dl className="stats">
        <div className="stat">
          <dt>Spent in {periodText(budget.period)}, before tax</dt>
          <dd>{moneyText(budget.spent, budget.currency)}</dd>
        </div>
        <div className="stat">
          <dt>Budget of a month</dt>
          <dd>{amount ? moneyText(amount, budget.currency) : "none"}</dd>
        </div>
        {amount && (
          <div className="stat">
            <dt>Of the budget</dt>
            <dd className={share >= 1 ? "danger" : share >= 0.9 ? "warn" : ""}>{Math.floor(share * 100) >= 100 ? "100 % or more" : `${Math.floor(share * 100)} %`}</dd>
          </div>
        )}
      </dl>
      {amount && <meter className="budget-meter" min={0} max={1} value={share} aria-label="Share of the budget that is spent" />}
      {budget.quota_lowered_to !== undefined && <Note tone="danger">The budget is spent: this organisation may send {count(budget.quota_lowered_to)} points a second until the month ends or the budget changes.</Note>}
      {budget.reached.length > 0 && (
        <ul className="plain-list">
          {budget.reached.map((each) => (
            <li key={each.percent}>
              {each.percent} % reached {formatTime(each.reached_at, zone, "minute")}, with {moneyText(each.spent, budget.currency)} spent.
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Form({ budget, etag }: { budget: Schemas["SpendingBudget"]; etag: string }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const mayWrite = useAllowed("billing:write") === true;
  const mayLower = useAllowed("organization:write") === true;
  const integrations = useQuery({ ...integrationsQuery(organization, environment), enabled: useAllowed("integrations:read") === true });
  const edited = useVersionedForm<BudgetForm>(budgetFormOf(budget.budget), etag);
  const form = edited.text;
  const [faults, setFaults] = useState<BudgetFaults>({});
  const put = (part: Partial<BudgetForm>) => {
    const next = { ...form, ...part };
    edited.put(next);
    if (Object.keys(faults).length > 0) setFaults(budgetOf(next).faults);
  };
  const save = useMutation({
    mutationFn: ({ draft }: { form: BudgetForm; draft: Schemas["SpendingBudgetDraft"] }) => read(control.PUT("/api/v1/organizations/{organization_id}/spending-budget", { params: { path: { organization_id: organization }, header: { "If-Match": edited.etag } }, body: draft })),
    onSuccess: (saved, sent) => {
      client.setQueryData(spendingBudgetQuery(organization).queryKey, saved);
      edited.saved(sent.form, budgetFormOf(saved.data.budget), saved.etag);
    },
    onError: async (fault) => {
      if (fault instanceof Problem && fault.status === 412) await client.invalidateQueries({ queryKey: spendingBudgetQuery(organization).queryKey });
    },
  });
  const known = integrations.data?.map((each) => ({ value: each.id, label: displayed(each.name, 60) })) ?? [];
  // Those of other environments are not listed here and stay as they are.
  const others = form.integrations.filter((id) => !known.some((each) => each.value === id)).map((id) => ({ value: id, label: id }));
  return (
    <form
      className="section ruled stack"
      noValidate
      aria-label="Budget of a month"
      onSubmit={(event) => {
        event.preventDefault();
        const { draft, faults: found } = budgetOf(form);
        setFaults(found);
        if (draft) save.mutate({ form, draft });
      }}
    >
      <h2>Budget of a month</h2>
      <div className="form-grid">
        <TextInput label={`Amount in ${budget.currency}, before tax`} description="Empty: no budget." inputMode="decimal" disabled={!mayWrite} value={form.amount} error={faults.amount} onChange={(event) => put({ amount: event.currentTarget.value })} />
        <TextInput label="Tell people at percent" description="As in 50, 90, 100." disabled={!mayWrite} value={form.thresholds} error={faults.thresholds} onChange={(event) => put({ thresholds: event.currentTarget.value })} />
        <MultiSelect size="xs" label="Who is told" description="Integrations; none chosen: nobody." searchable disabled={!mayWrite} maxValues={20} data={[...known, ...others]} value={form.integrations} onChange={(chosen) => put({ integrations: chosen })} />
        <TextInput
          label="Once it is spent, at most points a second"
          description={mayLower ? "Empty: nothing is slowed down." : "Setting it needs organization:write too."}
          inputMode="numeric"
          disabled={!mayWrite || !mayLower}
          value={form.pointsPerSecond}
          error={faults.pointsPerSecond}
          onChange={(event) => put({ pointsPerSecond: event.currentTarget.value })}
        />
      </div>
      {save.error && <Failure fault={save.error} />}
      <Outdated form={edited} reset={save.reset} />
      {save.isSuccess && !edited.isChanged && <Note>Saved.</Note>}
      {mayWrite ? (
        <Button type="submit" w="fit-content" loading={save.isPending}>
          Save budget
        </Button>
      ) : (
        <Note>Changing the budget needs the permission billing:write.</Note>
      )}
    </form>
  );
}

function Credits() {
  const { organization } = useScope();
  const credits = useQuery(creditsQuery(organization));
  // Whoever runs Tidemark grants them; others only see theirs.
  const mayGrant = useAllowed("billing:write", "org-self") === true && useAllowed("billing:write") === true;
  const [granting, setGranting] = useState(false);
  return (
    <section className="section ruled stack" aria-label="Credits">
      <div className="row between">
        <h2>Credits</h2>
        {mayGrant && !granting && (
          <Button variant="default" onClick={() => setGranting(true)}>
            Grant a credit
          </Button>
        )}
      </div>
      {granting && <Grant close={() => setGranting(false)} />}
      <Loaded query={credits} skeleton={<Skeleton rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No credits">
              <p>Credits are granted, or paid ahead; they pay invoices before anything else does.</p>
            </Empty>
          ) : (
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Credit</th>
                  <th>Kind</th>
                  <th className="num">Amount</th>
                  <th className="num">Used by closed invoices</th>
                  <th className="num">Remaining</th>
                  <th>Valid</th>
                </tr>
              </thead>
              <tbody>
                {data.map((each) => (
                  <tr key={each.id}>
                    <td data-label="Credit" className="break">
                      {displayed(each.description, 200)}
                    </td>
                    <td data-label="Kind">{each.kind}</td>
                    <td data-label="Amount" className="num">
                      {moneyText(each.amount, each.currency)}
                    </td>
                    <td data-label="Used" className="num">
                      {moneyText(each.used, each.currency)}
                    </td>
                    <td data-label="Remaining" className="num">
                      {moneyText(each.remaining, each.currency)}
                    </td>
                    <td data-label="Valid" className="nowrap">
                      {formatTime(`${each.valid_from}T00:00:00Z`, "utc", "day")}
                      {each.valid_until ? ` to ${formatTime(`${each.valid_until}T00:00:00Z`, "utc", "day")}` : " on"}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}

function Grant({ close }: { close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const [amount, setAmount] = useState("");
  const [currency, setCurrency] = useState("EUR");
  const [description, setDescription] = useState("");
  const [from, setFrom] = useState(() => new Date().toISOString().slice(0, 10));
  const [until, setUntil] = useState("");
  const [key] = useState(once);
  const grant = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/credits", {
          params: { path: { organization_id: organization }, header: key },
          body: { kind: "promotional", amount: amount.trim(), currency: currency.trim().toUpperCase(), description: description.trim(), valid_from: from, ...(until ? { valid_until: until } : {}) },
        }),
      ),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, "credits"] });
    },
  });
  return (
    <form
      className="stack"
      aria-label="Grant a credit"
      onSubmit={(event) => {
        event.preventDefault();
        grant.mutate();
      }}
    >
      <div className="form-grid">
        <TextInput label="Amount" inputMode="decimal" value={amount} onChange={(event) => setAmount(event.currentTarget.value)} />
        <TextInput label="Currency" maxLength={3} value={currency} onChange={(event) => setCurrency(event.currentTarget.value)} />
        <TextInput type="date" label="Valid from (UTC)" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextInput type="date" label="Valid until (UTC)" description="Empty: without end." value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
      </div>
      <Textarea label="Description" description="Shown on the invoice. A credit is never taken back." rows={2} maxLength={200} value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
      {grant.error && <Failure fault={grant.error} />}
      <div className="row">
        <Button type="submit" loading={grant.isPending} disabled={amount.trim() === "" || description.trim() === ""}>
          Grant credit
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

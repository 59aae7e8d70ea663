import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { planQuery } from "../../api/billing-queries";
import { body, control } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { decimalText, moneyText, periodText } from "../../lib/money";
import { useScope } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

type Plan = Schemas["PlanDocument"];

/** What things cost, and what they would cost by another plan. */
export function PlanPage() {
  const { organization } = useScope();
  const mayRead = useAllowed("billing:read");
  const mayWrite = useAllowed("billing:write") === true;
  const plan = useQuery({ ...planQuery(organization), enabled: mayRead === true });
  const [chosen, setChosen] = useState<Plan>();
  return (
    <>
      <PageHead title="Plan" />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? (
          <Forbidden permission="billing:read" what="see the plan" />
        ) : mayRead === undefined ? (
          <Skeleton />
        ) : (
          <Loaded query={plan}>
            {({ data, etag }) => (
              <div className="stack wide">
                <section className="stack" aria-label="Plan in force">
                  <h2>In force: {displayed(data.current.name, 64)}</h2>
                  <Prices plan={data.current} />
                </section>
                {data.versions.length > 0 && (
                  <section className="stack" aria-label="Versions">
                    <h2>As chosen</h2>
                    <ul className="plain-list">
                      {[...data.versions].reverse().map((each) => (
                        <li key={each.version}>
                          From {formatTime(`${each.effective_from}T00:00:00Z`, "utc", "day")}: {displayed(each.plan.name, 64)}
                        </li>
                      ))}
                    </ul>
                  </section>
                )}
                <section className="stack" aria-label="Other plans">
                  <h2>Plans that can be chosen</h2>
                  {data.choices.map((each) => (
                    <details key={each.name}>
                      <summary>
                        {displayed(each.name, 64)} {each.name === data.current.name && <span className="badge ok">in force</span>}
                      </summary>
                      <div className="stack">
                        <Prices plan={each} />
                        {each.name !== data.current.name && (
                          <Button variant="default" w="fit-content" onClick={() => setChosen(each)}>
                            Compare with this plan
                          </Button>
                        )}
                      </div>
                    </details>
                  ))}
                </section>
                {chosen && <Compare plan={chosen} etag={etag} mayWrite={mayWrite} close={() => setChosen(undefined)} />}
              </div>
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

function Prices({ plan }: { plan: Plan }) {
  const fixed: [string, string | undefined][] = [
    ["Base fee a month", plan.base_fee && moneyText(plan.base_fee, plan.currency)],
    ["At least a month", plan.minimum && moneyText(plan.minimum, plan.currency)],
    ["Discount", plan.discount_percent && `${decimalText(plan.discount_percent)} %`],
    ["Tax", plan.tax && `${displayed(plan.tax.name, 40)}, ${decimalText(plan.tax.rate_percent)} %`],
  ];
  return (
    <div className="stack tight">
      <table className="data as-list">
        <thead>
          <tr>
            <th>Meter</th>
            <th className="num">Included</th>
            <th>Price</th>
          </tr>
        </thead>
        <tbody>
          {plan.charges.map((charge) => (
            <tr key={charge.meter}>
              <td data-label="Meter" className="mono">
                {displayed(charge.meter, 64)}
              </td>
              <td data-label="Included" className="num">
                {decimalText(charge.included ?? "0")}
              </td>
              <td data-label="Price" className="break">
                <div>
                  {charge.tiers.map((tier, index) => (
                    <div key={index}>
                      {moneyText(tier.price, plan.currency)} per {decimalText(charge.per)}
                      {tier.up_to !== undefined ? ` up to ${decimalText(tier.up_to)}` : charge.tiers.length > 1 ? " beyond" : ""}
                      {tier.flat !== undefined && tier.flat !== "0" && `, ${moneyText(tier.flat, plan.currency)} once`}
                    </div>
                  ))}
                  {charge.tiers_are === "volume" && <div className="small quiet">The tier that the whole quantity ends in prices all of it.</div>}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row quiet small">
        {fixed.map(([name, value]) => (value ? <span key={name}>{`${name}: ${value}.`}</span> : null))}
      </div>
    </div>
  );
}

/** Prices last month's usage by both plans before anything is chosen. */
function Compare({ plan, etag, mayWrite, close }: { plan: Plan; etag: string; mayWrite: boolean; close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const [from, setFrom] = useState("");
  const preview = useQuery({
    queryKey: [organization, "plan-preview", plan.name],
    queryFn: () => body(control.POST("/api/v1/organizations/{organization_id}/plan/preview", { params: { path: { organization_id: organization } }, body: { plan: plan.name } })),
  });
  const choose = useMutation({
    mutationFn: () =>
      body(control.PUT("/api/v1/organizations/{organization_id}/plan", { params: { path: { organization_id: organization }, header: { "If-Match": etag } }, body: { plan: plan.name, ...(from ? { effective_from: from } : {}) } })),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, "plan"] });
    },
  });
  return (
    <Modal opened onClose={close} title={`Plan ${displayed(plan.name, 60)}`} centered size="lg">
      <div className="stack">
        <Loaded query={preview}>
          {(found) => (
            <>
              <p>Usage of {periodText(found.current.period)}, priced by both plans:</p>
              <dl className="stats">
                <div className="stat">
                  <dt>As it is</dt>
                  <dd>{moneyText(found.current.subtotal, found.current.currency)}</dd>
                </div>
                <div className="stat">
                  <dt>By {displayed(plan.name, 30)}</dt>
                  <dd>{moneyText(found.preview.subtotal, found.preview.currency)}</dd>
                </div>
                <div className="stat">
                  <dt>Difference</dt>
                  <dd>{found.difference === "" ? "in another currency" : moneyText(found.difference, found.current.currency)}</dd>
                </div>
              </dl>
            </>
          )}
        </Loaded>
        {mayWrite && (
          <form
            className="row end"
            onSubmit={(event) => {
              event.preventDefault();
              choose.mutate();
            }}
          >
            <TextInput type="date" label="In force from (UTC)" description="Empty: today." value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
            <Button type="submit" loading={choose.isPending}>
              Choose this plan
            </Button>
          </form>
        )}
        {!mayWrite && <Note>Choosing a plan needs the permission billing:write.</Note>}
        {choose.error && <Failure fault={choose.error} />}
      </div>
    </Modal>
  );
}

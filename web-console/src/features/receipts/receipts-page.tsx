import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { body, control, inOrganization } from "../../api/client";
import { Problem } from "../../api/problem";
import { useAllowed } from "../../lib/access";
import { count } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { PageTabs } from "../../ui/page-tabs";
import { Empty, Failure, Forbidden, Skeleton } from "../../ui/states";

const TABS = [
  ["receipts", "Receipts"],
  ["dead-letters", "Dead letters"],
] as const;

/** What became of one batch, by its receipt or its Idempotency-Key. */
export function ReceiptsPage() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("metrics:write");
  const search = useSearch({ strict: false }) as { receipt?: unknown };
  const id = typeof search.receipt === "string" ? search.receipt : "";
  const navigate = useNavigate();
  const [typed, setTyped] = useState(id);
  useEffect(() => setTyped(id), [id]);
  const receipt = useQuery({
    queryKey: [organization, "receipt", id],
    enabled: id !== "" && mayRead === true,
    queryFn: () => body(control.GET("/api/v1/ingest/receipts/{receipt_id}", { params: { path: { receipt_id: id } }, headers: inOrganization(organization) })),
    refetchInterval: 5000,
  });
  const found = receipt.data;
  return (
    <>
      <PageHead title="Receipts" note="Every stored batch has a receipt for a day: how many points count, which do not and why, and how often it came again." />
      <PageTabs label="Batches" tabs={TABS} />
      {mayRead === false ? (
        <Forbidden permission="metrics:write" what="read receipts" />
      ) : (
        <div className="stack">
          <form
            className="row end"
            onSubmit={(event) => {
              event.preventDefault();
              void navigate({ to: ".", search: ((before: object) => ({ ...before, receipt: typed.trim() || undefined })) as never });
            }}
          >
            <TextInput label="Receipt or Idempotency-Key" data-page-search className="grow" maw={640} maxLength={128} placeholder="The header Tidemark-Receipt of the answer to the sender" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
            <Button type="submit" disabled={typed.trim() === ""}>
              Look it up
            </Button>
          </form>
          {id === "" ? (
            <Empty title="Look up a batch">
              <p>
                The answer to each send carries the header <span className="mono">Tidemark-Receipt</span> (gRPC: the trailer <span className="mono">tidemark-receipt</span>).
              </p>
            </Empty>
          ) : receipt.error && !found ? (
            receipt.error instanceof Problem && receipt.error.status === 404 ? (
              <Empty title="There is no such receipt">
                <p>It may be older than a day, of another organisation, or of a batch of which nothing was stored: then the answer to its sender said so.</p>
              </Empty>
            ) : (
              <Failure fault={receipt.error} retry={() => void receipt.refetch()} />
            )
          ) : !found ? (
            <Skeleton rows={3} />
          ) : (
            <div className="stack">
              <dl className="stats">
                <div className="stat">
                  <dt>State</dt>
                  <dd className={found.state === "accepted" ? "ok" : found.state === "rejected" ? "danger" : "warn"}>{found.state.replaceAll("_", " ")}</dd>
                </div>
                <div className="stat">
                  <dt>Points that count</dt>
                  <dd>{count(found.accepted_points)}</dd>
                </div>
                <div className="stat">
                  <dt>Times it counted</dt>
                  <dd>{count(found.times_counted)}</dd>
                </div>
                <div className="stat">
                  <dt>Duplicates that did not count</dt>
                  <dd>{count(found.duplicates)}</dd>
                </div>
              </dl>
              <p className="quiet small break">
                Received {formatTime(found.received_at, zone)} for environment <span className="mono">{found.environment_id}</span>, receipt <span className="mono">{found.receipt_id}</span>
              </p>
              <h2>Points that do not count</h2>
              {found.rejected.length === 0 ? (
                <p className="quiet">None.</p>
              ) : (
                <table className="data as-list">
                  <thead>
                    <tr>
                      <th>Reason</th>
                      <th>Where</th>
                      <th className="num">Points</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.rejected.map((each) => (
                      <tr key={each.reason + each.at}>
                        <td data-label="Reason" className="mono">
                          {each.reason}
                        </td>
                        <td data-label="Where">
                          {each.at === "gateway" ? (
                            "refused at the gateway; the sender was told"
                          ) : (
                            <Link to={"/o/$org/e/$env/dead-letters" as string} params={{ org: organization, env: environment } as never} search={{ reason: each.reason } as never}>
                              set aside by the pipeline as a dead letter
                            </Link>
                          )}
                        </td>
                        <td data-label="Points" className="num">
                          {each.points === 0 ? "not known" : count(each.points)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </div>
          )}
        </div>
      )}
    </>
  );
}

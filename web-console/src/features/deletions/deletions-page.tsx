import { Button, Modal, Select, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import { metricsQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { saveFile } from "../../lib/files";
import { count, plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";

type Draft = Schemas["DeletionDraft"];

const KINDS: Record<Schemas["DeletionKind"], string> = { series: "asked for", environment: "with its environment", retention: "had expired" };

/** Data that went for good, with the proof of it. */
export function DeletionsPage() {
  const mayRead = useAllowed("retention:read");
  const mayWrite = useAllowed("retention:write") === true;
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <PageHead title="Settings: deletions" note="What was removed from every store, and the certificate that says so.">
        {mayWrite && (
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete data
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? <Forbidden permission="retention:read" what="see what was deleted" /> : mayRead === undefined ? <Skeleton /> : <Deletions />}
      </div>
      {deleting && <DeleteData close={() => setDeleting(false)} />}
    </>
  );
}

function Deletions() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const [open, setOpen] = useState<string>();
  const path = { organization_id: organization, environment_id: environment };
  const deletions = useInfiniteQuery({
    queryKey: [organization, environment, "deletions"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/deletions", { params: { path, query: { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: (last) => last.meta.next_cursor,
    refetchInterval: 10_000,
  });
  return (
    <>
      <Loaded query={deletions}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.data).reverse();
          return all.length === 0 ? (
            <Empty title="Nothing was deleted">
              <p>Data go when they expire (see Retention), with their environment, or when somebody deletes a metric here.</p>
            </Empty>
          ) : (
            <>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>What</th>
                    <th>Why</th>
                    <th>State</th>
                    <th className="num">Rows removed</th>
                    <th>Begun</th>
                    <th>Done</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((each) => (
                    <tr key={each.id}>
                      <td data-label="What" className="break">
                        <button type="button" className="plain-button mono break" onClick={() => setOpen(each.id)}>
                          {each.metric ? displayed(each.metric) : each.kind === "environment" ? "the whole environment" : "expired rows"}
                        </button>
                        {each.before && <span className="small quiet"> before {formatTime(each.before, "utc", "day")}</span>}
                      </td>
                      <td data-label="Why">{KINDS[each.kind]}</td>
                      <td data-label="State">
                        <span className={`badge ${each.state === "done" ? "ok" : "warn"}`}>{each.state}</span>
                      </td>
                      <td data-label="Rows removed" className="num">
                        {count(each.steps.filter((step) => step.store === "druid" && !step.region).reduce((sum, step) => sum + step.rows_removed, 0))}
                      </td>
                      <td data-label="Begun" className="nowrap">
                        {formatTime(each.created_at, zone, "minute")}
                      </td>
                      <td data-label="Done" className="nowrap">
                        {each.finished_at ? formatTime(each.finished_at, zone, "minute") : "not yet"}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {deletions.hasNextPage && (
                <Button variant="default" w="fit-content" loading={deletions.isFetchingNextPage} onClick={() => void deletions.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      {open !== undefined && <Detail id={open} close={() => setOpen(undefined)} />}
    </>
  );
}

function Detail({ id, close }: { id: string; close: () => void }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const deletion = useQuery({
    queryKey: [organization, environment, "deletion", id],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/deletions/{deletion_id}", { params: { path: { organization_id: organization, environment_id: environment, deletion_id: id } } })),
    refetchInterval: 5_000,
  });
  return (
    <Modal opened onClose={close} title="Deletion" size="xl" centered>
      <Loaded query={deletion}>
        {(found) => (
          <div className="stack">
            <p className="break">
              <span className={`badge ${found.state === "done" ? "ok" : "warn"}`}>{found.state}</span> <span className="mono">{found.id}</span>
              {found.state !== "done" && <span className="quiet"> Points that were accepted before may still arrive in the stores until {formatTime(found.final_from, zone, "minute")}; a later look must find nothing.</span>}
            </p>
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Store</th>
                  <th>Target</th>
                  <th>State</th>
                  <th className="num">Rows found</th>
                  <th className="num">Rows removed</th>
                  <th>Told</th>
                </tr>
              </thead>
              <tbody>
                {found.steps.map((step) => (
                  <tr key={`${step.region ?? ""} ${step.store} ${step.target}`}>
                    <td data-label="Store">
                      {step.store}
                      {step.region && <span className="quiet"> in {step.region}</span>}
                    </td>
                    <td data-label="Target" className="mono break">
                      {step.target}
                    </td>
                    <td data-label="State">
                      <span className={`badge ${step.done ? "ok" : "warn"}`}>{step.done ? "nothing left" : "running"}</span>
                    </td>
                    <td data-label="Rows found" className="num">
                      {count(step.rows_found)}
                    </td>
                    <td data-label="Rows removed" className="num">
                      {count(step.rows_removed)}
                    </td>
                    <td data-label="Told" className="break">
                      {step.problem && <span className="warn">{displayed(step.problem, 200)}</span>}
                      {step.held_until && <span className="small quiet">Earlier snapshots hold files until about {formatTime(step.held_until, zone, "minute")}.</span>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.certificate ? (
              <>
                <p className="small quiet break">
                  SHA-256 of the certificate, as in the audit log's entry deletion.certify: <span className="mono">{found.certificate_sha256}</span>
                </p>
                <Button variant="default" w="fit-content" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => saveFile(`deletion-${found.id}.json`, "application/json", found.certificate ?? "")}>
                  Certificate
                </Button>
              </>
            ) : (
              <p className="quiet">The certificate is made when no store has the data any more.</p>
            )}
          </div>
        )}
      </Loaded>
    </Modal>
  );
}

/** Counts what would go before anything goes. */
function DeleteData({ close }: { close: () => void }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const client = useQueryClient();
  const metrics = useQuery(metricsQuery(organization, environment));
  const [metric, setMetric] = useState<string | null>(null);
  const [before, setBefore] = useState("");
  const [typed, setTyped] = useState("");
  const [key] = useState(once);
  const path = { organization_id: organization, environment_id: environment };
  const draft: Draft = { metric: metric ?? "", ...(before ? { before: `${before}T00:00:00Z` } : {}) };
  const preview = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/deletions/preview", { params: { path }, body: draft })),
  });
  const remove = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/deletions", { params: { path, header: key }, body: draft })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, environment, "deletions"] });
      close();
    },
  });
  const rows = preview.data?.stores.reduce((sum, store) => sum + store.rows, 0) ?? 0;
  const points = Math.max(0, ...(preview.data?.stores.map((store) => store.points) ?? []));
  return (
    <Modal opened onClose={close} title="Delete data" size="lg" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!preview.data) preview.mutate();
          else if (typed === metric && !preview.data.refused) remove.mutate();
        }}
      >
        <Select
          label="Metric"
          data-autofocus
          searchable
          limit={200}
          data={[...new Set(metrics.data?.map((each) => each.name) ?? [])]}
          value={metric}
          placeholder="Choose a metric"
          nothingFoundMessage="No metric has a name like this"
          onChange={(value) => {
            setMetric(value);
            preview.reset();
          }}
        />
        <TextInput
          type="date"
          label="Only before the day (UTC)"
          description="Empty: all of it."
          value={before}
          onChange={(event) => {
            setBefore(event.currentTarget.value);
            preview.reset();
          }}
        />
        {preview.error && <Failure fault={preview.error} />}
        {preview.data && (
          <div className="stack" aria-live="polite">
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Datasource</th>
                  <th className="num">Rows</th>
                  <th className="num">Points</th>
                  <th>From</th>
                  <th>To</th>
                </tr>
              </thead>
              <tbody>
                {preview.data.stores.map((store) => (
                  <tr key={store.target}>
                    <td data-label="Datasource" className="mono">
                      {store.target}
                    </td>
                    <td data-label="Rows" className="num">
                      {count(store.rows)}
                    </td>
                    <td data-label="Points" className="num">
                      {count(store.points)}
                    </td>
                    <td data-label="From" className="nowrap">
                      {store.oldest ? formatTime(store.oldest, zone, "minute") : "–"}
                    </td>
                    <td data-label="To" className="nowrap">
                      {store.newest ? formatTime(store.newest, zone, "minute") : "–"}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {preview.data.refused ? (
              <Note tone="warn">The metric is still being sent, so this would be refused: what is deleted while it is sent comes again. Stop its senders, or choose a day.</Note>
            ) : rows === 0 ? (
              <Note>No store has data of it now.</Note>
            ) : (
              <Note tone="danger">
                {plural(rows, "row")} in Druid and the same in the lake, up to {plural(points, "point")}, go for good. Nothing brings them back.
              </Note>
            )}
          </div>
        )}
        {preview.data && !preview.data.refused && <TextInput label={`Type ${metric ?? ""} to go on`} autoComplete="off" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />}
        {remove.error && <Failure fault={remove.error} />}
        <div className="row">
          {preview.data ? (
            <Button type="submit" color="red" loading={remove.isPending} disabled={preview.data.refused || typed !== metric}>
              Delete for good
            </Button>
          ) : (
            <Button type="submit" variant="default" loading={preview.isPending} disabled={metric === null}>
              See what this removes
            </Button>
          )}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}

import { Button, Modal, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { body, control } from "../../api/client";
import { rejectionReasons } from "../../api/reasons.gen";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { count, plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Code } from "../../ui/code";
import { PageHead } from "../../ui/page";
import { PageTabs } from "../../ui/page-tabs";
import { Empty, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { ReplayDialog, Replays, useOpenReplay } from "./replays";

const TABS = [
  ["receipts", "Receipts"],
  ["dead-letters", "Dead letters"],
] as const;

/** What was accepted and then set aside, and why. */
export function DeadLettersPage() {
  const mayRead = useAllowed("catalog:read");
  const mayReplay = useAllowed("metrics:write") === true;
  const [replay, openReplay] = useOpenReplay();
  const { reason } = useSearch({ strict: false }) as { reason?: unknown };
  return (
    <>
      <PageHead title="Dead letters" note="Points that were accepted and could not be processed further. Nothing is dropped silently: each is listed here for a day and can be replayed for 30 days.">
        {mayRead === true && mayReplay && (
          <Button variant="default" onClick={() => openReplay("new")}>
            Replay
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <PageTabs label="Batches" tabs={TABS} />
        {mayRead === false ? <Forbidden permission="catalog:read" what="see dead letters" /> : mayRead === undefined ? <Skeleton /> : <Letters />}
        {mayRead === true && <Replays open={openReplay} />}
      </div>
      {mayRead === true && replay !== undefined && (mayReplay || replay !== "new") && (
        <ReplayDialog key={replay} id={replay} reason={typeof reason === "string" && Object.hasOwn(rejectionReasons, reason) ? reason : undefined} mayReplay={mayReplay} show={openReplay} close={() => openReplay(undefined)} />
      )}
    </>
  );
}

function Letters() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const { reason } = useSearch({ strict: false }) as { reason?: unknown };
  const chosen = typeof reason === "string" && /^[A-Z_]{1,64}$/.test(reason) ? reason : undefined;
  const navigate = useNavigate();
  const maySample = useAllowed("metrics:read") === true;
  const [open, setOpen] = useState<string>();
  const letters = useInfiniteQuery({
    queryKey: [organization, environment, "dead-letters", chosen],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters", {
          params: { path: { organization_id: organization, environment_id: environment }, query: { limit: 50, ...(chosen ? { reason: chosen } : {}), ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (last) => last.meta.next_cursor,
    refetchInterval: 15_000,
  });
  return (
    <>
      <Select
        aria-label="Reason"
        w={280}
        data={[{ value: "", label: "All reasons" }, ...[...new Set([...Object.keys(rejectionReasons), ...(chosen ? [chosen] : [])])].map((value) => ({ value, label: value.replaceAll("_", " ").toLowerCase() }))]}
        value={chosen ?? ""}
        onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, reason: value || undefined })) as never })}
      />
      {chosen && rejectionReasons[chosen] && <p className="quiet small">{rejectionReasons[chosen]}</p>}
      <Loaded query={letters}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.data);
          return all.length === 0 ? (
            <Empty title={chosen ? "None for this reason" : "No dead letters"}>
              <p>All that was accepted in the last day could be processed.</p>
            </Empty>
          ) : (
            <>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Reason</th>
                    <th>Received</th>
                    <th className="num">Points</th>
                    <th>Receipt</th>
                    <th>
                      <span className="hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((each) => (
                    <tr key={each.id}>
                      <td data-label="Reason" className="mono" title={rejectionReasons[each.reason]}>
                        {each.reason}
                      </td>
                      <td data-label="Received" className="nowrap">
                        {formatTime(each.received_at, zone)}
                      </td>
                      <td data-label="Points" className="num">
                        {each.points === 0 ? "not known" : count(each.points)}
                      </td>
                      <td data-label="Receipt" className="mono break">
                        <Link to="/o/$org/e/$env/receipts" params={{ org: organization, env: environment }} search={{ receipt: each.batch_id }}>
                          {each.batch_id.slice(0, 16)}…
                        </Link>
                      </td>
                      <td>
                        {maySample && (
                          <Button variant="default" size="compact-xs" aria-label={`Show letter ${each.id}`} onClick={() => setOpen(each.id)}>
                            Show
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {letters.hasNextPage && (
                <Button variant="default" w="fit-content" loading={letters.isFetchingNextPage} onClick={() => void letters.fetchNextPage()}>
                  Show older letters
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      {open !== undefined && <Letter id={open} close={() => setOpen(undefined)} />}
    </>
  );
}

function Letter({ id, close }: { id: string; close: () => void }) {
  const { organization, environment } = useScope();
  const letter = useQuery({
    queryKey: [organization, environment, "dead-letter", id],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters/{dead_letter_id}", { params: { path: { organization_id: organization, environment_id: environment, dead_letter_id: id } } })),
    staleTime: Infinity,
  });
  return (
    <Modal opened onClose={close} title="Dead letter" size="xl" centered>
      <Loaded query={letter}>
        {(found) => (
          <div className="stack">
            <p className="break">{displayed(found.detail, 1000)}</p>
            <p className="quiet small break">
              <span className="mono">{found.reason}</span>, found by the step “{displayed(found.stage, 40)}”, {found.points === 0 ? "points not known" : plural(found.points, "point")}, in a batch of {plural(found.original_size, "byte")}.
            </p>
            {found.is_sample_cut && <Note>The sample is cut: the letter has more.</Note>}
            <Code label={found.sample_form === "hex" ? "First bytes" : "Points concerned, as OTLP"} text={found.sample} />
          </div>
        )}
      </Loaded>
    </Modal>
  );
}

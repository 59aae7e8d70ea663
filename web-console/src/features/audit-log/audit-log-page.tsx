import { Button, TextInput } from "@mantine/core";
import { IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { body, control } from "../../api/client";
import { auditQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Empty, Failure, Forbidden, Note, Skeleton } from "../../ui/states";

type Entry = Schemas["AuditEntry"];

/** Who changed what, and who was refused, in a chain whose every link can be verified. */
export function AuditLogPage() {
  const { organization } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("audit:read");
  const [action, setAction] = useState("");
  const [object, setObject] = useState("");
  const filter = { ...(action ? { action } : {}), ...(object ? { object_id: object } : {}) };
  const log = useInfiniteQuery({
    queryKey: [organization, "audit-log", "pages", filter],
    enabled: mayRead === true,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, client }) => client.fetchQuery(auditQuery(organization, { ...filter, ...(pageParam ? { cursor: pageParam } : {}) })),
    getNextPageParam: (page) => page.meta.next_cursor,
  });
  const verify = useMutation({
    mutationFn: () => body(control.GET("/api/v1/organizations/{organization_id}/audit-log/verification", { params: { path: { organization_id: organization } } })),
  });
  const entries = log.data?.pages.flatMap((page) => page.data);
  return (
    <>
      <PageHead title="Settings: audit log">
        {mayRead && (
          <>
            <Button variant="default" leftSection={<IconShieldCheck size={14} aria-hidden />} loading={verify.isPending} onClick={() => verify.mutate()}>
              Verify
            </Button>
            <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} component="a" href={`/api/v1/organizations/${encodeURIComponent(organization)}/audit-log/export`} download="audit-log.ndjson">
              Export
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? (
          <Forbidden permission="audit:read" what="read the audit log" />
        ) : (
          <>
            {verify.error && <Failure fault={verify.error} retry={() => verify.mutate()} />}
            {verify.data && (
              <Note {...(verify.data.intact ? {} : { tone: "danger" as const })}>
                {verify.data.intact ? `Intact: all ${plural(verify.data.entries, "entry", "entries")} were computed anew, up to ${verify.data.sequence ?? 0}.` : `Not intact: ${verify.data.faults.join(" ")}`}
                {verify.data.hash && (
                  <div className="small break">
                    Last hash <span className="mono">{verify.data.hash}</span>. Keep it elsewhere: it shows later whether this part was changed.
                  </div>
                )}
              </Note>
            )}
            <div className="row">
              <TextInput data-page-search aria-label="Action" placeholder="Action, as in api_key.create" value={action} onChange={(event) => setAction(event.currentTarget.value.trim())} w={220} />
              <TextInput aria-label="Object" placeholder="Identifier of the object" value={object} onChange={(event) => setObject(event.currentTarget.value.trim())} w={220} />
            </div>
            {log.error ? (
              <Failure fault={log.error} retry={() => void log.refetch()} />
            ) : !entries ? (
              <Skeleton rows={10} height={36} />
            ) : entries.length === 0 ? (
              <Empty title="No entry fits" />
            ) : (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Time</th>
                    <th>Who</th>
                    <th>Action</th>
                    <th>Object</th>
                    <th>Outcome</th>
                    <th>Change</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry) => (
                    <Row key={entry.sequence} entry={entry} zone={zone} />
                  ))}
                </tbody>
              </table>
            )}
            {log.hasNextPage && (
              <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()} w="fit-content">
                Show older entries
              </Button>
            )}
          </>
        )}
      </div>
    </>
  );
}

function Row({ entry, zone }: { entry: Entry; zone: "local" | "utc" }) {
  return (
    <tr>
      <td data-label="Time" className="nowrap figure">
        {formatTime(entry.at, zone)}
      </td>
      <td data-label="Who" className="break">
        {entry.actor_kind.replaceAll("_", " ")} <span className="mono">{displayed(entry.actor_id, 40)}</span>
      </td>
      <td data-label="Action">{entry.action}</td>
      <td data-label="Object" className="mono break">
        {displayed(entry.object_id, 60)}
      </td>
      <td data-label="Outcome">
        <span className={`badge ${entry.outcome === "done" ? "" : "danger"}`}>{entry.outcome}</span> {entry.reason && <span className="small quiet">{entry.reason}</span>}
      </td>
      <td data-label="Change" className="break">
        {entry.before || entry.after ? (
          <details>
            <summary>Show</summary>
            {entry.before && <div className="mono small">before {displayed(entry.before, 2000)}</div>}
            {entry.after && <div className="mono small">after {displayed(entry.after, 2000)}</div>}
          </details>
        ) : null}
      </td>
    </tr>
  );
}

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconLock, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { rolesWith } from "../api/permissions";
import { Problem } from "../api/problem";
import type { Permission } from "../api/vocabulary.gen";

/** Nothing is here yet: why, and what to do. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
      {action}
    </div>
  );
}

/** Something failed: what, what to do next, the id that is found again in the log, and another try. */
export function Failure({ fault, retry }: { fault: unknown; retry?: (() => void) | undefined }) {
  const problem =
    fault instanceof Problem
      ? fault
      : new Problem({ status: 0, code: "fault", title: "This view failed", detail: fault instanceof Error ? fault.message : "An unknown fault." });
  return (
    <div className="state problem" role="alert">
      <h2 className="row">
        <IconAlertTriangle size={16} aria-hidden /> {problem.title}
      </h2>
      <p className="break">{problem.detail}</p>
      {problem.faults.length > 0 && (
        <ul>
          {problem.faults.map((each) => (
            <li key={each} className="break">
              {each}
            </li>
          ))}
        </ul>
      )}
      {problem.nextStep && <p className="break">{problem.nextStep}</p>}
      {problem.retryAfterSeconds !== undefined && <p>Try again in {problem.retryAfterSeconds} s.</p>}
      {problem.id && (
        <p className="small quiet">
          Request id <span className="mono">{problem.id}</span>
        </p>
      )}
      {retry && (
        <Button variant="default" leftSection={<IconRefresh size={14} aria-hidden />} onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The person may not: who can grant it. */
export function Forbidden({ permission, what }: { permission: Permission; what: string }) {
  const roles = rolesWith(permission).map((role) => role.replaceAll("_", " "));
  return (
    <div className="state">
      <h2 className="row">
        <IconLock size={16} aria-hidden /> You may not {what}
      </h2>
      <p>
        It needs the permission <span className="mono">{permission}</span>, which {roles.length > 0 ? `these roles hold: ${roles.join(", ")}` : "no role holds"}.
      </p>
      <p>An organisation admin can grant it under Settings, People.</p>
    </div>
  );
}

/** The shape of what is on its way. */
export function Skeleton({ rows = 6, height = 28 }: { rows?: number; height?: number }) {
  return (
    <div className="stack" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton" style={{ height }} />
      ))}
    </div>
  );
}

interface Query<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
  dataUpdatedAt: number;
}

/** A view of something read: skeleton, failure, or the data; data that were read stay when a later read fails. */
export function Loaded<T>({ query, skeleton, children }: { query: Query<T>; skeleton?: ReactNode; children: (data: T) => ReactNode }) {
  if (query.data === undefined) {
    return query.error ? <Failure fault={query.error} retry={() => void query.refetch()} /> : <>{skeleton ?? <Skeleton />}</>;
  }
  return (
    <>
      {query.error ? <Stale fault={query.error} since={query.dataUpdatedAt} retry={() => void query.refetch()} /> : null}
      {children(query.data)}
    </>
  );
}

function Stale({ fault, since, retry }: { fault: unknown; since: number; retry: () => void }) {
  const detail = fault instanceof Problem ? `${fault.title}. ${fault.detail}` : "The last read failed.";
  return (
    <div className="note warn-note row" role="status">
      <span className="grow">
        Shown as read at {new Date(since).toLocaleTimeString("en-GB")}. {detail}
      </span>
      <Button variant="default" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

export function Note({ tone, children }: { tone?: "warn" | "danger"; children: ReactNode }) {
  return (
    <div className={`note ${tone ? `${tone}-note` : ""}`} role={tone ? "status" : undefined}>
      <div className="grow">{children}</div>
    </div>
  );
}

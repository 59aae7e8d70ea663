import { Button, Modal, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { rejectionReasons } from "../../api/reasons.gen";
import { displayed } from "../../lib/displayed";
import { count, plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Failure, Loaded, Note } from "../../ui/states";

type Replay = Schemas["DeadLetterReplay"];

const SPANS = [
  { value: "1", label: "The last hour", hours: 1 },
  { value: "24", label: "The last day", hours: 24 },
  { value: "168", label: "The last 7 days", hours: 168 },
  { value: "719", label: "The last 30 days", hours: 719 },
] as const;

const OUTCOMES: Record<Schemas["DeadLetterReplayOutcome"], string> = {
  to_replay: "can be replayed",
  replayed: "replayed",
  replayed_before: "replayed before",
  not_replayable: "cannot be replayed",
};

const STATES: Record<Schemas["DeadLetterReplayState"], { text: string; tone: string }> = {
  counting: { text: "counting", tone: "" },
  counted: { text: "counted", tone: "" },
  replaying: { text: "replaying", tone: "warn" },
  completed: { text: "completed", tone: "ok" },
  failed: { text: "failed", tone: "danger" },
};

/** Letters and points of an outcome. */
export function total(replay: Pick<Replay, "counts">, outcome: Schemas["DeadLetterReplayOutcome"]): { letters: number; points: number } {
  const counts = replay.counts.filter((each) => each.outcome === outcome);
  return { letters: counts.reduce((sum, each) => sum + each.letters, 0), points: counts.reduce((sum, each) => sum + each.points, 0) };
}

function isUnderWay(replay: Replay | undefined): boolean {
  return replay?.state === "counting" || replay?.state === "replaying";
}

/** The replay that is open, by the address: an id, or "new". */
export function useOpenReplay(): [string | undefined, (next: string | undefined) => void] {
  const { replay } = useSearch({ strict: false }) as { replay?: unknown };
  const navigate = useNavigate();
  const open = typeof replay === "string" && /^[A-Za-z0-9-]{1,63}$/.test(replay) ? replay : undefined;
  return [open, (next) => void navigate({ to: ".", search: ((before: object) => ({ ...before, replay: next })) as never })];
}

/** Replays of the environment, newest first. */
export function Replays({ open }: { open: (id: string) => void }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const replays = useQuery({
    queryKey: [organization, environment, "dead-letter-replays"],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letter-replays", { params: { path: { organization_id: organization, environment_id: environment }, query: { limit: 10 } } })),
    refetchInterval: (query) => (query.state.data?.data.some(isUnderWay) ? 2_000 : 30_000),
  });
  if (replays.data?.data.length === 0) return null;
  return (
    <section className="section ruled stack" aria-labelledby="replays">
      <h2 id="replays">Replays</h2>
      <Loaded query={replays}>
        {({ data }) => (
          <table className="data as-list">
            <thead>
              <tr>
                <th>State</th>
                <th>Reasons</th>
                <th>Received</th>
                <th className="num">Replayed</th>
                <th>Begun</th>
                <th>
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((each) => (
                <tr key={each.id}>
                  <td data-label="State">
                    <State replay={each} />
                  </td>
                  <td data-label="Reasons" className="mono break">
                    {each.reasons.length === 0 ? "all" : each.reasons.join(", ")}
                  </td>
                  <td data-label="Received">
                    {formatTime(each.received_from, zone, "minute")} to {formatTime(each.received_to, zone, "minute")}
                  </td>
                  <td data-label="Replayed" className="num">
                    {each.executed_at ? count(total(each, "replayed").letters) : "–"}
                  </td>
                  <td data-label="Begun" className="nowrap">
                    {formatTime(each.created_at, zone, "minute")}
                  </td>
                  <td>
                    <Button variant="default" size="compact-xs" aria-label={`Open replay ${each.id}`} onClick={() => open(each.id)}>
                      Open
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </section>
  );
}

function State({ replay }: { replay: Replay }) {
  const { text, tone } = STATES[replay.state];
  return <span className={`badge ${tone}`}>{text}</span>;
}

/** Chooses, counts, asks, replays and tells what came of it; the address holds which replay it is. */
export function ReplayDialog({ id, reason, mayReplay, show, close }: { id: string; reason: string | undefined; mayReplay: boolean; show: (id: string) => void; close: () => void }) {
  return (
    <Modal opened onClose={close} title="Replay dead letters" size="lg" centered>
      {id === "new" ? <Draft reason={reason} show={show} close={close} /> : <Progress id={id} mayReplay={mayReplay} again={() => show("new")} close={close} />}
    </Modal>
  );
}

function Draft({ reason, show, close }: { reason: string | undefined; show: (id: string) => void; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(reason ?? "");
  const [span, setSpan] = useState<string>("24");
  const [key] = useState(once);
  const create = useMutation({
    mutationFn: () => {
      const hours = SPANS.find((each) => each.value === span)?.hours ?? 24;
      return body(
        control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letter-replays", {
          params: { path: { organization_id: organization, environment_id: environment }, header: key },
          body: { ...(chosen ? { reasons: [chosen] } : {}), received_from: new Date(Date.now() - hours * 3_600_000).toISOString() },
        }),
      );
    },
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: [organization, environment, "dead-letter-replays"] });
      show(made.id);
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <p>Put right what was wrong first: the points are judged anew, and what is still wrong comes back as a new dead letter. Each letter is replayed once, whoever replays it.</p>
      <div className="form-grid">
        <Select
          label="Reason"
          data-autofocus
          data={[{ value: "", label: "All reasons" }, ...Object.keys(rejectionReasons).map((value) => ({ value, label: value.replaceAll("_", " ").toLowerCase() }))]}
          value={chosen}
          onChange={(value) => setChosen(value ?? "")}
        />
        <Select label="Received in" data={SPANS.map(({ value, label }) => ({ value, label }))} value={span} onChange={(value) => setSpan(value ?? "24")} />
      </div>
      {create.error && <Failure fault={create.error} />}
      <div className="row">
        <Button type="submit" loading={create.isPending}>
          Count them
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <span className="quiet small">Counting changes nothing.</span>
      </div>
    </form>
  );
}

function Progress({ id, mayReplay, again, close }: { id: string; mayReplay: boolean; again: () => void; close: () => void }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const client = useQueryClient();
  const path = { organization_id: organization, environment_id: environment, dead_letter_replay_id: id };
  const key = [organization, environment, "dead-letter-replay", id];
  const replay = useQuery({
    queryKey: key,
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letter-replays/{dead_letter_replay_id}", { params: { path } })),
    refetchInterval: (query) => (query.state.data === undefined || isUnderWay(query.state.data) ? 1_000 : false),
  });
  const execute = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letter-replays/{dead_letter_replay_id}/execute", { params: { path } })),
    onSuccess: (begun) => {
      client.setQueryData(key, begun);
      void client.invalidateQueries({ queryKey: [organization, environment, "dead-letter-replays"] });
    },
  });
  return (
    <Loaded query={replay}>
      {(found) => {
        const open = total(found, "to_replay");
        return (
          <div className="stack">
            <p className="break">
              <State replay={found} /> {found.reasons.length === 0 ? "All reasons" : found.reasons.join(", ")}, received from {formatTime(found.received_from, zone, "minute")} to {formatTime(found.received_to, zone, "minute")}.
            </p>
            <div aria-live="polite" className="stack">
              {isUnderWay(found) && (
                <label className="stack tight">
                  <span className="small quiet">
                    {found.records_to_read === 0 ? "Waiting for its turn" : `${count(found.records_read)} of ${plural(found.records_to_read, "record")} read`}
                  </span>
                  <progress className="progress" max={Math.max(1, found.records_to_read)} value={found.records_read} />
                </label>
              )}
              {found.failure && <Note tone="danger">{displayed(found.failure, 400)}</Note>}
              {found.state === "counted" && found.counts.length === 0 && <Note>No dead letter fits.</Note>}
              {found.counts.length > 0 && found.state !== "replaying" && <Counts replay={found} />}
              {found.state === "completed" && <Note>{`${plural(total(found, "replayed").letters, "letter")} went back into the pipeline. Their points show within a minute; what is still wrong is a new dead letter.`}</Note>}
            </div>
            {execute.error && <Failure fault={execute.error} />}
            <div className="row">
              {found.state === "counted" && open.letters > 0 && mayReplay && (
                <Button loading={execute.isPending} onClick={() => execute.mutate()}>
                  Replay {plural(open.letters, "letter")}
                  {open.points > 0 ? ` (${plural(open.points, "point")})` : ""}
                </Button>
              )}
              {!isUnderWay(found) && found.state !== "counted" && mayReplay && (
                <Button variant="default" onClick={again}>
                  Count again
                </Button>
              )}
              <Button variant="default" onClick={close}>
                Close
              </Button>
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

function Counts({ replay }: { replay: Replay }) {
  return (
    <table className="data as-list">
      <thead>
        <tr>
          <th>Reason</th>
          <th>Outcome</th>
          <th className="num">Letters</th>
          <th className="num">Points</th>
        </tr>
      </thead>
      <tbody>
        {replay.counts.map((each) => (
          <tr key={`${each.reason} ${each.outcome} ${each.detail ?? ""}`}>
            <td data-label="Reason" className="mono break">
              {each.reason}
            </td>
            <td data-label="Outcome">
              {OUTCOMES[each.outcome]}
              {each.detail && <span className="quiet small"> ({displayed(each.detail, 120)})</span>}
            </td>
            <td data-label="Letters" className="num">
              {count(each.letters)}
            </td>
            <td data-label="Points" className="num">
              {each.points === 0 ? "not known" : count(each.points)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

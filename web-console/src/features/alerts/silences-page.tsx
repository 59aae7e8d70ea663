import { Button, Modal, Select, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { silencesQuery } from "../../api/alert-queries";
import { body, control, once, read } from "../../api/client";
import { peopleQuery } from "../../api/dashboard-queries";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { useScope, useView } from "../../lib/scope";
import { emptySilence, silenceFormOf, silenceOf, type Matcher, type SilenceFaults, type SilenceForm } from "../../lib/silence";
import { formatTime, zoneName } from "../../lib/time-range";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { MatcherBadges, MatcherFields } from "./matchers";

type Silence = Schemas["Silence"];

const TONES: Record<Schemas["SilenceState"], string> = { active: "warn", waiting: "", over: "" };
const ORDER: Record<Schemas["SilenceState"], number> = { active: 0, waiting: 1, over: 2 };

/** The matchers of an address, as an incident gives them; others are left out. */
function matchersOf(value: unknown): Matcher[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 16)
    .filter((each): each is [string, string] => Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string")
    .map(([label, found]) => ({ label, operator: "eq" as const, value: found }));
}

/** Whom nobody is told of for a time: once, or again every day or week as a maintenance window. */
export function SilencesPage() {
  const mayRead = useAllowed("alerts:read");
  const mayWrite = useAllowed("alerts:write") === true;
  const { zone } = useView();
  const search = useSearch({ strict: false }) as { new?: unknown };
  const navigate = useNavigate();
  const [changed, setChanged] = useState<Silence>();
  const creating = search.new !== undefined;
  const open = (value: unknown) => void navigate({ to: ".", search: ((before: object) => ({ ...before, new: value })) as never });
  return (
    <>
      <PageHead title="Silences" note="An incident that fits one is opened and shown as always; nobody is told of it while the silence lasts.">
        {mayWrite && <Button onClick={() => open(1)}>New silence</Button>}
      </PageHead>
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? <Forbidden permission="alerts:read" what="see silences" /> : mayRead === undefined ? <Skeleton /> : <List mayWrite={mayWrite} change={setChanged} />}
      </div>
      {creating && mayWrite && <Edit title="New silence" start={{ ...emptySilence(Date.now(), zoneName(zone)), matchers: matchersOf(search.new) }} close={() => open(undefined)} />}
      {changed && <Edit title="Change the silence" start={silenceFormOf(changed, zoneName(zone))} silence={changed} close={() => setChanged(undefined)} />}
    </>
  );
}

function List({ mayWrite, change }: { mayWrite: boolean; change: (silence: Silence) => void }) {
  const { organization, environment } = useScope();
  const silences = useQuery(silencesQuery(organization, environment));
  const [ended, setEnded] = useState<Silence>();
  return (
    <Loaded query={silences}>
      {(all) => {
        const sorted = [...all].sort((a, b) => ORDER[a.state] - ORDER[b.state] || b.starts_at.localeCompare(a.starts_at));
        const windows = sorted.filter((each) => each.repeat);
        const single = sorted.filter((each) => !each.repeat);
        return all.length === 0 ? (
          <Empty title="Nothing is silenced">
            <p>A silence holds messages back while you work on something. Repeated every day or week it is a maintenance window.</p>
          </Empty>
        ) : (
          <div className="stack wide">
            <section className="stack" aria-label="Silences of one time">
              <h2>Of one time</h2>
              {single.length === 0 ? <p className="quiet">None.</p> : <Table silences={single} mayWrite={mayWrite} change={change} end={setEnded} />}
            </section>
            <section className="stack" aria-label="Maintenance windows">
              <h2>Maintenance windows</h2>
              {windows.length === 0 ? <p className="quiet">None. A silence that repeats every day or week is one.</p> : <Table silences={windows} mayWrite={mayWrite} change={change} end={setEnded} />}
            </section>
            {ended && <End silence={ended} close={() => setEnded(undefined)} />}
          </div>
        );
      }}
    </Loaded>
  );
}

function Table({ silences, mayWrite, change, end }: { silences: Silence[]; mayWrite: boolean; change: (silence: Silence) => void; end: (silence: Silence) => void }) {
  const { organization } = useScope();
  const { zone } = useView();
  const people = useQuery({ ...peopleQuery(organization), enabled: useAllowed("members:read") === true });
  return (
    <table className="data as-list">
      <thead>
        <tr>
          <th>Why</th>
          <th>State</th>
          <th>Incidents with</th>
          <th>When</th>
          <th>By</th>
          <th>
            <span className="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {silences.map((each) => (
          <tr key={each.id} className={each.state === "over" ? "inactive" : ""}>
            <td data-label="Why" className="break">
              {displayed(each.comment, 200)}
            </td>
            <td data-label="State">
              <span className={`badge ${TONES[each.state]}`}>
                <span className={each.state === "active" ? "dot" : "dot hollow"} aria-hidden /> {each.state}
              </span>
            </td>
            <td data-label="Incidents with">
              <MatcherBadges matchers={each.matchers} />
            </td>
            <td data-label="When">
              {formatTime(each.starts_at, zone, "minute")} to {formatTime(each.ends_at, zone, "minute")}
              {each.repeat && (
                <div className="small quiet">
                  every {each.repeat.every}, by clocks of {displayed(each.repeat.time_zone, 60)}
                  {each.repeat.until ? `, until ${formatTime(each.repeat.until, zone, "minute")}` : ""}
                </div>
              )}
            </td>
            <td data-label="By" className="break">
              {displayed(people.data?.get(each.created_by.replace(/^person[ :/]/, "")) ?? each.created_by, 40)}
            </td>
            <td>
              {mayWrite && each.state !== "over" && (
                <span className="row">
                  <Button variant="default" size="compact-xs" aria-label={`Change the silence ${displayed(each.comment, 40)}`} onClick={() => change(each)}>
                    Change
                  </Button>
                  <Button variant="default" size="compact-xs" aria-label={`End the silence ${displayed(each.comment, 40)}`} onClick={() => end(each)}>
                    End
                  </Button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function End({ silence, close }: { silence: Silence; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      body(
        control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}/silences/{silence_id}", {
          params: { path: { organization_id: organization, environment_id: environment, silence_id: silence.id }, header: { "If-Match": `"${silence.version}"` } },
        }),
      ),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, environment, "silences"] });
    },
  });
  return (
    <Confirm title="End the silence" action="End silence" close={close} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error}>
      <p>
        “{displayed(silence.comment, 200)}” is deleted. {silence.state === "active" ? "Incidents that it holds back and that are still open are told from now on." : "It will not begin."}
        {silence.repeat ? " None of its repetitions begins any more." : ""}
      </p>
    </Confirm>
  );
}

const REPEATS = [
  { value: "", label: "Once" },
  { value: "day", label: "Every day" },
  { value: "week", label: "Every week" },
];

function Edit({ title, start, silence, close }: { title: string; start: SilenceForm; silence?: Silence; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const [form, setForm] = useState(start);
  const [asked, setAsked] = useState(false);
  const [faults, setFaults] = useState<SilenceFaults>({});
  const [key] = useState(once);
  const put = (part: Partial<SilenceForm>) => setForm((before) => ({ ...before, ...part }));
  useEffect(() => {
    if (asked) setFaults(silenceOf(form).faults);
  }, [asked, form]);
  const path = { organization_id: organization, environment_id: environment };
  const save = useMutation({
    mutationFn: (draft: Schemas["SilenceDraft"]) =>
      silence
        ? read(
            control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/silences/{silence_id}", {
              params: { path: { ...path, silence_id: silence.id }, header: { "If-Match": `"${silence.version}"` } },
              body: draft,
            }),
          )
        : read(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/silences", { params: { path, header: key }, body: draft })),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, environment, "silences"] });
    },
  });
  const submit = () => {
    const { draft, faults: found } = silenceOf(form);
    setAsked(true);
    setFaults(found);
    if (draft) save.mutate(draft);
  };
  return (
    <Modal opened onClose={close} title={title} centered size="lg" closeOnClickOutside={false}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Textarea label="Why" data-autofocus rows={2} maxLength={1000} value={form.comment} error={faults.comment} onChange={(event) => put({ comment: event.currentTarget.value })} />
        <MatcherFields legend="Incidents with all of these labels" matchers={form.matchers} fault={faults.matchers} put={(matchers) => put({ matchers })} />
        <SegmentedControl aria-label="Repeated" size="xs" data={REPEATS} value={form.repeats} onChange={(value) => put({ repeats: value as SilenceForm["repeats"] })} />
        <div className="form-grid">
          <TextInput type="datetime-local" label="Starts" value={form.starts} error={faults.starts} onChange={(event) => put({ starts: event.currentTarget.value })} />
          <TextInput type="datetime-local" label="Ends" value={form.ends} error={faults.ends} onChange={(event) => put({ ends: event.currentTarget.value })} />
          <Select label="By clocks of" searchable limit={100} data={timeZones(form.timeZone)} value={form.timeZone} onChange={(value) => put({ timeZone: value ?? "UTC" })} />
          {form.repeats !== "" && <TextInput type="datetime-local" label="No more from" description="Empty: without end." value={form.until} error={faults.until} onChange={(event) => put({ until: event.currentTarget.value })} />}
        </div>
        {form.repeats !== "" && <Note>Each repetition begins at the same time of these clocks, also over a change to summer time.</Note>}
        {save.error && <Failure fault={save.error} />}
        <div className="row">
          <Button type="submit" loading={save.isPending}>
            {silence ? "Save" : "Create silence"}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function timeZones(chosen: string): string[] {
  return [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])];
}

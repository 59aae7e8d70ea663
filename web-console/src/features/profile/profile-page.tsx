import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { body, control } from "../../api/client";
import { callerQuery, organizationsQuery, sessionQuery, type Schemas } from "../../api/queries";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { formatTime, setOwnZone } from "../../lib/time-range";
import { AcceptInvitation } from "../../ui/accept-invitation";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Failure, Loaded, Note } from "../../ui/states";

const BROWSER = "";

/** Who the person is here, and in which zone they see times, on every browser. */
export function ProfilePage() {
  const session = useQuery(sessionQuery);
  return (
    <>
      <PageHead title="Settings: your profile" />
      <div className="stack">
        <SettingsTabs />
        <Loaded query={session}>{({ person }) => <Profile person={person} />}</Loaded>
      </div>
    </>
  );
}

function Profile({ person }: { person: Schemas["Person"] }) {
  const caller = useQuery(callerQuery);
  const organizations = useQuery(organizationsQuery);
  const nameOf = (id: string) => organizations.data?.find((each) => each.id === id)?.display_name ?? id;
  return (
    <div className="stack wide">
      <dl className="stats">
        <div className="stat">
          <dt>Name</dt>
          <dd className="break">{displayed(person.display_name, 60)}</dd>
        </div>
        <div className="stat">
          <dt>Email{person.mail_verified ? ", verified" : ""}</dt>
          <dd className="break">{person.mail ? displayed(person.mail, 80) : "none"}</dd>
        </div>
      </dl>
      <p className="quiet small">Name and mail address come from whoever you sign in with.</p>
      <TimeZone key={person.time_zone ?? BROWSER} person={person} />
      <section className="section ruled stack" aria-label="Security">
        <h2>Security</h2>
        <p>
          <a href="/account">Password, second factor, recovery codes and the browsers that you are signed in with</a>
        </p>
      </section>
      <section className="section ruled stack" aria-label="Organisations">
        <h2>Organisations</h2>
        {caller.data?.organizations?.length === 0 && <p className="quiet">You belong to none.</p>}
        <ul className="plain-list">
          {caller.data?.organizations?.map((each) => (
            <li key={each.organization_id}>
              {displayed(nameOf(each.organization_id), 80)} <span className="mono small quiet">{each.organization_id}</span>{" "}
              <span className="quiet">{each.grants.map((grant) => grant.role.replaceAll("_", " ") + (grant.environment_id ? ` in ${grant.environment_id}` : "")).join(", ")}</span>
            </li>
          ))}
        </ul>
        <h3>Accept an invitation</h3>
        <AcceptInvitation />
      </section>
    </div>
  );
}

function TimeZone({ person }: { person: Schemas["Person"] }) {
  const client = useQueryClient();
  const now = useNow();
  const [chosen, setChosen] = useState(person.time_zone ?? BROWSER);
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = useMutation({
    mutationFn: () => body(control.PUT("/api/v1/profile", { body: chosen === BROWSER ? {} : { time_zone: chosen } })),
    onSuccess: (saved) => {
      setOwnZone(saved.time_zone);
      client.setQueryData(sessionQuery.queryKey, (before) => (before ? { ...before, person: saved } : before));
    },
  });
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(person.time_zone ? [person.time_zone] : [])])];
  return (
    <form
      className="section ruled stack"
      aria-label="Time zone"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <h2>Time zone</h2>
      <Select
        label="Times are shown in"
        description="Kept with you and not with this browser. The button beside a time range shows UTC instead."
        searchable
        limit={200}
        maw={420}
        nothingFoundMessage="There is no such zone"
        data={[{ value: BROWSER, label: `That of the browser, here ${own}` }, ...zones.map((value) => ({ value, label: value.replaceAll("_", " ") }))]}
        value={chosen}
        onChange={(value) => setChosen(value ?? BROWSER)}
      />
      <p className="quiet small">
        It is {formatTime(now, "local")} by the zone that is saved{chosen !== (person.time_zone ?? BROWSER) ? ", and the choice is not saved yet" : ""}.
      </p>
      {save.error && <Failure fault={save.error} />}
      {save.isSuccess && chosen === (person.time_zone ?? BROWSER) && <Note>Saved.</Note>}
      <Button type="submit" w="fit-content" loading={save.isPending} disabled={chosen === (person.time_zone ?? BROWSER)}>
        Save time zone
      </Button>
    </form>
  );
}

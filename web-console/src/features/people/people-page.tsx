import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { body, control, once, read } from "../../api/client";
import { environmentsQuery, sessionQuery, type Schemas } from "../../api/queries";
import { roles, type Role } from "../../api/vocabulary.gen";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Code } from "../../ui/code";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Failure, Forbidden, Loaded, Note } from "../../ui/states";

type Member = Schemas["Member"];
type Invitation = Schemas["Invitation"];
type Grant = Schemas["Grant"];

const roleName = (role: string) => role.replaceAll("_", " ");
const grantText = (grant: Grant) => roleName(grant.role) + (grant.environment_id ? ` in ${grant.environment_id}` : "");

/** Who belongs to the organisation, what they may do, and who is invited. */
export function PeoplePage() {
  const { organization } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("members:read");
  const mayWrite = useAllowed("members:write");
  const session = useQuery(sessionQuery);
  const path = { organization_id: organization };
  const members = useQuery({
    queryKey: [organization, "members"],
    enabled: mayRead === true,
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/members", { params: { path, query: { limit: 200 } } })),
  });
  const invitations = useQuery({
    queryKey: [organization, "invitations"],
    enabled: mayRead === true,
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/invitations", { params: { path, query: { limit: 200 } } })),
  });
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<Member>();
  const [removing, setRemoving] = useState<Member>();
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <PageHead title="Settings: people">{mayWrite && <Button onClick={() => setInviting(true)}>Invite somebody</Button>}</PageHead>
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? (
          <Forbidden permission="members:read" what="see who belongs to the organisation" />
        ) : (
          <div className="stack wide">
            <Loaded query={members}>
              {(page) => (
                <table className="data as-list">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Email</th>
                      <th>Roles</th>
                      <th>State</th>
                      <th>Since</th>
                      <th>
                        <span className="hidden">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.data.map((each) => (
                      <tr key={each.person_id} className={each.state === "active" ? "" : "inactive"}>
                        <td data-label="Name" className="break">
                          {displayed(each.display_name)} {each.person_id === session.data?.person.id && <span className="badge">you</span>}
                        </td>
                        <td data-label="Email" className="break">
                          {each.mail}
                        </td>
                        <td data-label="Roles">{each.grants.map(grantText).join(", ")}</td>
                        <td data-label="State">
                          <span className={`badge ${each.state === "active" ? "ok" : "warn"}`}>{each.state}</span>
                        </td>
                        <td data-label="Since" className="nowrap">
                          {formatTime(each.created_at, zone, "day")}
                        </td>
                        <td>
                          {mayWrite && (
                            <span className="row">
                              <Button variant="default" size="compact-xs" onClick={() => setEditing(each)}>
                                Change role
                              </Button>
                              <Button variant="default" size="compact-xs" onClick={() => setRemoving(each)}>
                                Remove
                              </Button>
                            </span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </Loaded>
            <section className="stack">
              <h2>Invitations</h2>
              <Loaded query={invitations}>
                {(page) =>
                  page.data.length === 0 ? (
                    <p className="quiet">Nobody is invited.</p>
                  ) : (
                    <table className="data as-list">
                      <thead>
                        <tr>
                          <th>Email</th>
                          <th>Roles</th>
                          <th>State</th>
                          <th>Expires</th>
                          <th>
                            <span className="hidden">Actions</span>
                          </th>
                        </tr>
                      </thead>
                      <tbody>
                        {page.data.map((each) => (
                          <tr key={each.id} className={each.state === "open" ? "" : "inactive"}>
                            <td data-label="Email" className="break">
                              {displayed(each.mail)}
                            </td>
                            <td data-label="Roles">{each.grants.map(grantText).join(", ")}</td>
                            <td data-label="State">
                              <span className={`badge ${each.state === "open" ? "ok" : ""}`}>{each.state}</span>
                            </td>
                            <td data-label="Expires" className="nowrap">
                              {formatTime(each.expires_at, zone, "minute")}
                            </td>
                            <td>
                              {mayWrite && each.state === "open" && (
                                <Button variant="default" size="compact-xs" onClick={() => setRevoking(each)}>
                                  Revoke
                                </Button>
                              )}
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  )
                }
              </Loaded>
            </section>
          </div>
        )}
      </div>
      {inviting && <Invite close={() => setInviting(false)} />}
      {editing && <ChangeRole member={editing} close={() => setEditing(undefined)} />}
      {removing && <Remove member={removing} close={() => setRemoving(undefined)} />}
      {revoking && <Revoke invitation={revoking} close={() => setRevoking(undefined)} />}
    </>
  );
}

const ROLES = (Object.keys(roles) as Role[]).map((value) => ({ value, label: roleName(value) }));

function RolePicker({ role, environment, setRole, setEnvironment }: { role: Role; environment: string; setRole: (role: Role) => void; setEnvironment: (environment: string) => void }) {
  const { organization } = useScope();
  const environments = useQuery(environmentsQuery(organization));
  return (
    <>
      <Select label="Role" description={roles[role].meaning} data={ROLES} value={role} onChange={(value) => setRole((value ?? "developer") as Role)} />
      <Select
        label="Where"
        data={[{ value: "", label: "In the whole organisation" }, ...(environments.data ?? []).map((each) => ({ value: each.id, label: `Only in ${each.display_name}` }))]}
        value={environment}
        onChange={(value) => setEnvironment(value ?? "")}
      />
    </>
  );
}

function Invite({ close }: { close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const [mail, setMail] = useState("");
  const [role, setRole] = useState<Role>("developer");
  const [environment, setEnvironment] = useState("");
  const invite = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/invitations", {
          params: { path: { organization_id: organization }, header: once() },
          body: { mail: mail.trim(), grants: [{ role, ...(environment ? { environment_id: environment } : {}) }] },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization, "invitations"] }),
  });
  return (
    <Modal opened onClose={close} title="Invite somebody" centered>
      {invite.data ? (
        <div className="stack">
          {invite.data.link ? (
            <>
              <p>Send this link to {invite.data.invitation.mail}. It is shown this once.</p>
              <Code label="Invitation link" text={invite.data.link} />
            </>
          ) : (
            <p>{invite.data.mailed ? `A mail with the link is on its way to ${invite.data.invitation.mail}.` : "The invitation was made before; revoke it and invite again for a new link."}</p>
          )}
          <Button onClick={close}>Done</Button>
        </div>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate();
          }}
        >
          <TextInput label="Email" type="email" data-autofocus value={mail} maxLength={254} required onChange={(event) => setMail(event.currentTarget.value)} />
          <RolePicker role={role} environment={environment} setRole={setRole} setEnvironment={setEnvironment} />
          {invite.error && <Failure fault={invite.error} />}
          <Button type="submit" loading={invite.isPending} disabled={mail.trim() === ""}>
            Invite
          </Button>
        </form>
      )}
    </Modal>
  );
}

function ChangeRole({ member, close }: { member: Member; close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const first = member.grants[0];
  const [role, setRole] = useState<Role>((first?.role ?? "developer") as Role);
  const [environment, setEnvironment] = useState(first?.environment_id ?? "");
  const path = { organization_id: organization, person_id: member.person_id };
  const change = useMutation({
    mutationFn: async () => {
      const { etag } = await read(control.GET("/api/v1/organizations/{organization_id}/members/{person_id}", { params: { path } }));
      return body(
        control.PATCH("/api/v1/organizations/{organization_id}/members/{person_id}", {
          params: { path, header: { "If-Match": etag } },
          body: { grants: [{ role, ...(environment ? { environment_id: environment } : {}) }, ...member.grants.slice(1)] },
        }),
      );
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, "members"] });
      await client.invalidateQueries({ queryKey: ["caller"] });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Change the role of ${displayed(member.display_name, 40)}`} centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <RolePicker role={role} environment={environment} setRole={setRole} setEnvironment={setEnvironment} />
        {member.grants.length > 1 && <Note>Further roles stay: {member.grants.slice(1).map(grantText).join(", ")}.</Note>}
        {change.error && <Failure fault={change.error} />}
        <Button type="submit" loading={change.isPending}>
          Change role
        </Button>
      </form>
    </Modal>
  );
}

function Remove({ member, close }: { member: Member; close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => body(control.DELETE("/api/v1/organizations/{organization_id}/members/{person_id}", { params: { path: { organization_id: organization, person_id: member.person_id } } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, "members"] });
      close();
    },
  });
  return (
    <Confirm title={`Remove ${displayed(member.display_name, 40)}`} action="Remove" close={close} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error}>
      <p>The person is out at once. Keys of service accounts go on working. To come back they need a new invitation.</p>
    </Confirm>
  );
}

function Revoke({ invitation, close }: { invitation: Invitation; close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => body(control.DELETE("/api/v1/organizations/{organization_id}/invitations/{invitation_id}", { params: { path: { organization_id: organization, invitation_id: invitation.id } } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, "invitations"] });
      close();
    },
  });
  return (
    <Confirm title={`Revoke the invitation of ${displayed(invitation.mail, 40)}`} action="Revoke" close={close} run={() => revoke.mutate()} pending={revoke.isPending} fault={revoke.error}>
      <p>The link stops working.</p>
    </Confirm>
  );
}

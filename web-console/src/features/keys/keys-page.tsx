import { Button, Checkbox, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import { environmentsQuery, type Schemas } from "../../api/queries";
import { isRole } from "../../api/permissions";
import { permissions, roles, type Permission, type Role } from "../../api/vocabulary.gen";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { useScope, useView } from "../../lib/scope";
import { ago, formatTime } from "../../lib/time-range";
import { Code } from "../../ui/code";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";

type Account = Schemas["ServiceAccount"];
type Key = Schemas["ApiKey"];

const roleName = (role: string) => role.replaceAll("_", " ");

/** Machines of the organisation, and their keys. */
export function KeysPage() {
  const { organization } = useScope();
  const mayRead = useAllowed("service-accounts:read");
  const mayWrite = useAllowed("service-accounts:write");
  const accounts = useQuery({
    queryKey: [organization, "service-accounts"],
    enabled: mayRead === true,
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/service-accounts", { params: { path: { organization_id: organization }, query: { limit: 200 } } })),
  });
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHead title="Settings: service accounts and keys">{mayWrite && <Button onClick={() => setCreating(true)}>Create service account</Button>}</PageHead>
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? (
          <Forbidden permission="service-accounts:read" what="see service accounts" />
        ) : (
          <Loaded query={accounts}>
            {(page) =>
              page.data.length === 0 ? (
                <Empty title="No service accounts yet">
                  <p>A service account is a machine with a role: a Collector, a deployment pipeline. Keys belong to one, and may do no more than its role.</p>
                </Empty>
              ) : (
                <div className="stack wide">
                  {page.data.map((account) => (
                    <AccountKeys key={account.id} account={account} />
                  ))}
                </div>
              )
            }
          </Loaded>
        )}
      </div>
      {creating && <CreateAccount close={() => setCreating(false)} />}
    </>
  );
}

const keysKey = (organization: string, account: string) => [organization, "api-keys", account];

function AccountKeys({ account }: { account: Account }) {
  const { organization } = useScope();
  const { zone } = useView();
  const now = useNow();
  const mayRead = useAllowed("api-keys:read");
  const mayWrite = useAllowed("api-keys:write");
  const keys = useQuery({
    queryKey: keysKey(organization, account.id),
    enabled: mayRead === true,
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/service-accounts/{service_account_id}/api-keys", {
          params: { path: { organization_id: organization, service_account_id: account.id }, query: { limit: 200 } },
        }),
      ),
  });
  const [creating, setCreating] = useState<Key | true>();
  const [revoking, setRevoking] = useState<Key>();
  return (
    <section className="stack section" aria-label={`Keys of ${account.display_name}`}>
      <div className="row between">
        <h2>
          {displayed(account.display_name)} <span className="badge">{roleName(account.role)}</span>
        </h2>
        {mayWrite && (
          <Button variant="default" onClick={() => setCreating(true)}>
            Create key
          </Button>
        )}
      </div>
      {mayRead === false ? (
        <p className="quiet">You may not see its keys.</p>
      ) : (
        <Loaded query={keys} skeleton={<Skeleton rows={2} height={36} />}>
          {(page) =>
            page.data.length === 0 ? (
              <p className="quiet">No keys.</p>
            ) : (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Key</th>
                    <th>Environment</th>
                    <th>May</th>
                    <th>State</th>
                    <th>Created</th>
                    <th>Last used</th>
                    <th>
                      <span className="hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...page.data]
                    .sort((a, b) => Number(a.state !== "live") - Number(b.state !== "live") || b.created_at.localeCompare(a.created_at))
                    .map((key) => (
                      <tr key={key.id} className={key.state === "live" ? "" : "inactive"}>
                        <td data-label="Key" className="mono">
                          {key.id}
                        </td>
                        <td data-label="Environment" className="mono">
                          {key.environment_id}
                        </td>
                        <td data-label="May" className="mono break">
                          {key.scopes.join(" ")}
                        </td>
                        <td data-label="State">
                          <span className={`badge ${key.state === "live" ? "ok" : "warn"}`}>{key.state}</span>
                          {key.expires_at && key.state === "live" && <span className="small quiet"> until {formatTime(key.expires_at, zone, "day")}</span>}
                        </td>
                        <td data-label="Created" className="nowrap">
                          {formatTime(key.created_at, zone, "day")}
                        </td>
                        <td data-label="Last used" className="nowrap">
                          {key.last_used_at ? ago(key.last_used_at, now) : "never"}
                        </td>
                        <td>
                          {mayWrite && key.state === "live" && (
                            <span className="row">
                              <Button variant="default" size="compact-xs" onClick={() => setCreating(key)}>
                                Rotate
                              </Button>
                              <Button variant="default" size="compact-xs" onClick={() => setRevoking(key)}>
                                Revoke
                              </Button>
                            </span>
                          )}
                        </td>
                      </tr>
                    ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      )}
      {creating && <CreateKey account={account} like={creating === true ? undefined : creating} close={() => setCreating(undefined)} />}
      {revoking && <RevokeKey account={account} apiKey={revoking} close={() => setRevoking(undefined)} />}
    </section>
  );
}

function CreateAccount({ close }: { close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("developer");
  const create = useMutation({
    mutationFn: () =>
      body(control.POST("/api/v1/organizations/{organization_id}/service-accounts", { params: { path: { organization_id: organization }, header: once() }, body: { display_name: name.trim(), role } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, "service-accounts"] });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title="Create a service account" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput label="Name" data-autofocus value={name} maxLength={100} onChange={(event) => setName(event.currentTarget.value)} />
        <Select
          label="Role"
          description={roles[role].meaning}
          data={(Object.keys(roles) as Role[]).map((value) => ({ value, label: roleName(value) }))}
          value={role}
          onChange={(value) => setRole((value ?? "developer") as Role)}
        />
        {create.error && <Failure fault={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ""}>
          Create service account
        </Button>
      </form>
    </Modal>
  );
}

const EXPIRIES = [
  { value: "0", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** A new key, or one like another that it takes the place of. */
function CreateKey({ account, like, close }: { account: Account; like: Key | undefined; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const environments = useQuery(environmentsQuery(organization));
  const offered: readonly Permission[] = isRole(account.role) ? roles[account.role].permissions : [];
  const [where, setWhere] = useState(like?.environment_id ?? environment);
  const [scopes, setScopes] = useState<string[]>(like?.scopes ?? ["metrics:write", "metrics:read"].filter((each) => offered.includes(each as Permission)));
  const [expires, setExpires] = useState("0");
  const [rotated, setRotated] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/service-accounts/{service_account_id}/api-keys", {
          params: { path: { organization_id: organization, service_account_id: account.id }, header: once() },
          body: { environment_id: where, scopes, ...(expires === "0" ? {} : { expires_at: new Date(Date.now() + Number(expires) * 86_400_000).toISOString() }) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey(organization, account.id) }),
  });
  if (create.data) {
    return (
      <Modal opened onClose={close} title="The new key" centered size="lg" closeOnClickOutside={false}>
        <div className="stack">
          <Code label="The new key" text={create.data.secret ?? ""} />
          <Note tone="warn">This is the only time that it is shown. Copy it now.</Note>
          {like && !rotated ? (
            <>
              <p>
                The old key <span className="mono">{like.id}</span> still works. Put the new one into your senders, look at “Last used”, then revoke the old one.
              </p>
              <RevokeNow account={account} apiKey={like} done={() => setRotated(true)} />
            </>
          ) : null}
          {rotated && <Note>The old key is refused everywhere within 5 seconds.</Note>}
          <Button variant="default" onClick={close}>
            Done
          </Button>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={close} title={like ? `Rotate key ${like.id}` : `Create a key of ${displayed(account.display_name, 40)}`} centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {like && <p>A new key with the same environment and permissions is made first; the old one goes on working until you revoke it.</p>}
        <Select label="Environment" disabled={like !== undefined} data={(environments.data ?? []).filter((each) => each.state === "active").map((each) => ({ value: each.id, label: each.display_name }))} value={where} onChange={(value) => setWhere(value ?? environment)} />
        <Checkbox.Group label="What it may do" value={scopes} onChange={setScopes}>
          <div className="stack tight">
            {offered.map((each) => (
              <Checkbox key={each} size="xs" value={each} label={each} description={permissions[each]} disabled={like !== undefined} />
            ))}
          </div>
        </Checkbox.Group>
        <Select label="Expires" data={EXPIRIES} value={expires} onChange={(value) => setExpires(value ?? "0")} />
        {create.error && <Failure fault={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
          {like ? "Create the new key" : "Create key"}
        </Button>
      </form>
    </Modal>
  );
}

function useRevoke(account: Account, key: Key, done: () => void) {
  const { organization } = useScope();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      body(
        control.DELETE("/api/v1/organizations/{organization_id}/service-accounts/{service_account_id}/api-keys/{api_key_id}", {
          params: { path: { organization_id: organization, service_account_id: account.id, api_key_id: key.id } },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keysKey(organization, account.id) });
      done();
    },
  });
}

function RevokeNow({ account, apiKey, done }: { account: Account; apiKey: Key; done: () => void }) {
  const revoke = useRevoke(account, apiKey, done);
  return (
    <>
      <Button color="red" variant="light" loading={revoke.isPending} onClick={() => revoke.mutate()} w="fit-content">
        Revoke the old key now
      </Button>
      {revoke.error && <Failure fault={revoke.error} />}
    </>
  );
}

function RevokeKey({ account, apiKey, close }: { account: Account; apiKey: Key; close: () => void }) {
  const now = useNow();
  const revoke = useRevoke(account, apiKey, close);
  return (
    <Confirm title={`Revoke key ${apiKey.id}`} action="Revoke" close={close} run={() => revoke.mutate()} pending={revoke.isPending} fault={revoke.error} type={apiKey.id}>
      <p>It is refused everywhere within 5 seconds, for good. {apiKey.last_used_at ? `It was last used ${ago(apiKey.last_used_at, now)}.` : "It was never used."}</p>
    </Confirm>
  );
}

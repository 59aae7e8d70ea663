import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import { environmentsQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { identifierOf } from "../../lib/identifiers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Failure, Loaded } from "../../ui/states";

type Environment = Schemas["Environment"];
type Action = "archive" | "restore" | "delete";

/** Parts of the organisation that keys and metrics belong to. */
export function EnvironmentsPage() {
  const { organization } = useScope();
  const { zone } = useView();
  const environments = useQuery(environmentsQuery(organization));
  const mayWrite = useAllowed("environments:write");
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<{ environment: Environment; action: Action }>();
  return (
    <>
      <PageHead title="Settings: environments">{mayWrite && <Button onClick={() => setCreating(true)}>Create environment</Button>}</PageHead>
      <div className="stack">
        <SettingsTabs />
        <Loaded query={environments}>
          {(all) => (
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Identifier</th>
                  <th>State</th>
                  <th>Created</th>
                  <th>
                    <span className="hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((each) => (
                  <tr key={each.id} className={each.state === "active" ? "" : "inactive"}>
                    <td data-label="Name">
                      <Link to="/o/$org/e/$env" params={{ org: organization, env: each.id }}>
                        {displayed(each.display_name)}
                      </Link>
                    </td>
                    <td data-label="Identifier" className="mono">
                      {each.id}
                    </td>
                    <td data-label="State">
                      <span className={`badge ${each.state === "active" ? "ok" : "warn"}`}>{each.state}</span>
                      {each.delete_after && <span className="small"> for good after {formatTime(each.delete_after, zone, "day")}</span>}
                    </td>
                    <td data-label="Created" className="nowrap">
                      {formatTime(each.created_at, zone, "day")}
                    </td>
                    <td>
                      {mayWrite && (
                        <span className="row">
                          {each.state === "active" ? (
                            <Button variant="default" size="compact-xs" onClick={() => setAsked({ environment: each, action: "archive" })}>
                              Archive
                            </Button>
                          ) : (
                            <Button variant="default" size="compact-xs" onClick={() => setAsked({ environment: each, action: "restore" })}>
                              Restore
                            </Button>
                          )}
                          {each.state !== "deleting" && (
                            <Button variant="default" size="compact-xs" onClick={() => setAsked({ environment: each, action: "delete" })}>
                              Delete
                            </Button>
                          )}
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Loaded>
      </div>
      {creating && <Create close={() => setCreating(false)} />}
      {asked && <Change {...asked} close={() => setAsked(undefined)} />}
    </>
  );
}

function Create({ close }: { close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/environments", {
          params: { path: { organization_id: organization }, header: once() },
          body: { id: identifierOf(name), display_name: name.trim() },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries(environmentsQuery(organization));
      close();
    },
  });
  return (
    <Modal opened onClose={close} title="Create an environment" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          description={identifierOf(name) ? `Identifier: ${identifierOf(name)}. It is part of its keys and never changes.` : "Its identifier is made from the name."}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {create.error && <Failure fault={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={identifierOf(name) === ""}>
          Create environment
        </Button>
      </form>
    </Modal>
  );
}

const TEXTS: Record<Action, { title: string; action: string; effect: string }> = {
  archive: { title: "Archive environment", action: "Archive", effect: "Its keys are refused within 5 seconds. Its metrics can still be read, and it can be restored." },
  restore: { title: "Restore environment", action: "Restore", effect: "Its keys work again." },
  delete: { title: "Delete environment", action: "Delete", effect: "Its keys are refused within 5 seconds. For 30 days it can be restored; then everything in it is removed from every store, with a certificate." },
};

function Change({ environment, action, close }: { environment: Environment; action: Action; close: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const path = { organization_id: organization, environment_id: environment.id };
  const change = useMutation({
    mutationFn: () =>
      action === "archive"
        ? body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/archive", { params: { path } }))
        : action === "restore"
          ? body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/restore", { params: { path } }))
          : body(control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}", { params: { path } })),
    onSuccess: async () => {
      await client.invalidateQueries(environmentsQuery(organization));
      close();
    },
  });
  const text = TEXTS[action];
  return (
    <Confirm title={`${text.title} ${displayed(environment.display_name, 40)}`} action={text.action} close={close} run={() => change.mutate()} pending={change.isPending} fault={change.error}>
      <p>{text.effect}</p>
    </Confirm>
  );
}

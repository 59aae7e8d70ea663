import { Button, Modal, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inhibitionsQuery } from "../../api/alert-queries";
import { body, control, once, read } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { useScope } from "../../lib/scope";
import { COMMON_LABELS, type Matcher } from "../../lib/silence";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { MatcherBadges, MatcherFields } from "./matchers";

type Inhibition = Schemas["Inhibition"];

/** Which open incident makes others quiet that only follow from it. */
export function InhibitionsPage() {
  const mayRead = useAllowed("alerts:read");
  const mayWrite = useAllowed("alerts:write") === true;
  const [changed, setChanged] = useState<Inhibition | "new">();
  return (
    <>
      <PageHead title="Inhibitions" note="While one incident is open, nobody is told of those that only follow from it.">
        {mayWrite && <Button onClick={() => setChanged("new")}>New inhibition</Button>}
      </PageHead>
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? <Forbidden permission="alerts:read" what="see inhibitions" /> : mayRead === undefined ? <Skeleton /> : <List mayWrite={mayWrite} change={setChanged} />}
      </div>
      {changed && <Edit {...(changed === "new" ? {} : { inhibition: changed })} close={() => setChanged(undefined)} />}
    </>
  );
}

function List({ mayWrite, change }: { mayWrite: boolean; change: (inhibition: Inhibition) => void }) {
  const { organization, environment } = useScope();
  const inhibitions = useQuery(inhibitionsQuery(organization, environment));
  const [removed, setRemoved] = useState<Inhibition>();
  return (
    <Loaded query={inhibitions}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="No inhibitions">
            <p>When a whole cluster is away, each of its services fires too. An inhibition tells people of the cluster alone.</p>
          </Empty>
        ) : (
          <>
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Inhibition</th>
                  <th>While one is open with</th>
                  <th>Nobody is told of</th>
                  <th>With the same</th>
                  <th>
                    <span className="hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((each) => (
                  <tr key={each.id}>
                    <td data-label="Inhibition" className="break">
                      {displayed(each.name)}
                    </td>
                    <td data-label="While one is open with">
                      <MatcherBadges matchers={each.source} />
                    </td>
                    <td data-label="Nobody is told of">
                      <MatcherBadges matchers={each.target} />
                    </td>
                    <td data-label="With the same" className="mono break">
                      {each.equal.map((label) => displayed(label, 60)).join(", ") || "–"}
                    </td>
                    <td>
                      {mayWrite && (
                        <span className="row">
                          <Button variant="default" size="compact-xs" aria-label={`Change ${displayed(each.name, 40)}`} onClick={() => change(each)}>
                            Change
                          </Button>
                          <Button variant="default" size="compact-xs" aria-label={`Delete ${displayed(each.name, 40)}`} onClick={() => setRemoved(each)}>
                            Delete
                          </Button>
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {removed && <Remove inhibition={removed} close={() => setRemoved(undefined)} />}
          </>
        )
      }
    </Loaded>
  );
}

function Remove({ inhibition, close }: { inhibition: Inhibition; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      body(
        control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}/inhibitions/{inhibition_id}", {
          params: { path: { organization_id: organization, environment_id: environment, inhibition_id: inhibition.id }, header: { "If-Match": `"${inhibition.version}"` } },
        }),
      ),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, environment, "inhibitions"] });
    },
  });
  return (
    <Confirm title={`Delete ${displayed(inhibition.name, 60)}`} action="Delete inhibition" close={close} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error}>
      <p>Incidents that it holds back and that are still open are told from now on.</p>
    </Confirm>
  );
}

function Edit({ inhibition, close }: { inhibition?: Inhibition; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const [name, setName] = useState(inhibition?.name ?? "");
  const [source, setSource] = useState<Matcher[]>(inhibition?.source ?? []);
  const [target, setTarget] = useState<Matcher[]>(inhibition?.target ?? []);
  const [equal, setEqual] = useState<string[]>(inhibition?.equal ?? []);
  const [asked, setAsked] = useState(false);
  const [key] = useState(once);
  const path = { organization_id: organization, environment_id: environment };
  const isNamed = name.trim() !== "";
  const save = useMutation({
    mutationFn: () => {
      const draft: Schemas["InhibitionDraft"] = { name: name.trim(), source, target, equal };
      return inhibition
        ? read(
            control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/inhibitions/{inhibition_id}", {
              params: { path: { ...path, inhibition_id: inhibition.id }, header: { "If-Match": `"${inhibition.version}"` } },
              body: draft,
            }),
          )
        : read(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/inhibitions", { params: { path, header: key }, body: draft }));
    },
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [organization, environment, "inhibitions"] });
    },
  });
  return (
    <Modal opened onClose={close} title={inhibition ? `Change ${displayed(inhibition.name, 60)}` : "New inhibition"} centered size="lg" closeOnClickOutside={false}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (isNamed && source.length > 0 && target.length > 0) save.mutate();
        }}
      >
        <TextInput label="Name" data-autofocus maxLength={120} value={name} error={asked && !isNamed ? "1 to 120 characters." : undefined} onChange={(event) => setName(event.currentTarget.value)} />
        <MatcherFields legend="While an incident is open with all of these labels" matchers={source} fault={asked && source.length === 0 ? "Choose at least one label." : undefined} put={setSource} />
        <MatcherFields legend="Nobody is told of incidents with all of these" matchers={target} fault={asked && target.length === 0 ? "Choose at least one label." : undefined} put={setTarget} />
        <TagsInput size="xs" label="Only when both have the same" description="Labels, as in metric.cluster. Empty: any." maxTags={16} data={[...COMMON_LABELS]} value={equal} onChange={setEqual} />
        {save.error && <Failure fault={save.error} />}
        <div className="row">
          <Button type="submit" loading={save.isPending}>
            {inhibition ? "Save" : "Create inhibition"}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}

import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { body, control } from "../../api/client";
import { dashboardVersionsQuery, peopleQuery } from "../../api/dashboard-queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Failure, Loaded } from "../../ui/states";
import { Author } from "./author";

/** Every version that is kept, with who made it and when. */
export function Versions({ id, newest, etag, mayWrite, close, show }: { id: string; newest: number; etag: string; mayWrite: boolean; close: () => void; show: (version: number) => void }) {
  const { organization } = useScope();
  const { zone } = useView();
  const versions = useQuery(dashboardVersionsQuery(organization, id));
  const people = useQuery({ ...peopleQuery(organization), enabled: useAllowed("members:read") === true });
  return (
    <Modal opened onClose={close} title="Versions" size="lg" centered>
      <Loaded query={versions}>
        {(all) => (
          <div className="stack">
            <p className="quiet small">Restoring makes a new version; nothing is lost. The newest 100 are kept.</p>
            <table className="data as-list">
              <thead>
                <tr>
                  <th className="num">Version</th>
                  <th>When</th>
                  <th>Who</th>
                  <th>Title</th>
                  <th className="num">Panels</th>
                  <th>
                    <span className="hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((each) => (
                  <tr key={each.version}>
                    <td data-label="Version" className="num">
                      {each.version}
                    </td>
                    <td data-label="When" className="nowrap">
                      {formatTime(each.changed_at, zone, "minute")}
                    </td>
                    <td data-label="Who" className="break">
                      <Author author={each.changed_by} people={people.data} />
                      {each.restored_from !== undefined && <span className="small quiet"> restored {each.restored_from}</span>}
                    </td>
                    <td data-label="Title" className="break">
                      {displayed(each.title, 60)}
                    </td>
                    <td data-label="Panels" className="num">
                      {each.panel_count}
                    </td>
                    <td>
                      {each.version === newest ? (
                        <span className="badge ok">newest</span>
                      ) : (
                        <span className="row">
                          <Button variant="default" size="compact-xs" aria-label={`Show version ${each.version}`} onClick={() => show(each.version)}>
                            Show
                          </Button>
                          {mayWrite && <RestoreVersion id={id} version={each.version} etag={etag} compact done={close} />}
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Modal>
  );
}

/** Takes the definition of an earlier version again. */
export function RestoreVersion({ id, version, etag, compact, done }: { id: string; version: number; etag: string; compact?: boolean; done: () => void }) {
  const { organization } = useScope();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}/versions/{dashboard_version}/restore", {
          params: { path: { organization_id: organization, dashboard_id: id, dashboard_version: version }, header: { "If-Match": etag } },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization, "dashboard", id] });
      await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
      done();
    },
  });
  return (
    <>
      <Button {...(compact ? { size: "compact-xs", variant: "default" } : {})} aria-label={`Restore version ${version}`} loading={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
      {restore.error && <Failure fault={restore.error} />}
    </>
  );
}

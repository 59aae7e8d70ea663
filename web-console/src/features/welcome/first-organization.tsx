import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import { callerQuery, organizationsQuery } from "../../api/queries";
import { AcceptInvitation } from "../../ui/accept-invitation";
import { PageHead } from "../../ui/page";
import { Failure } from "../../ui/states";

/** For somebody who belongs nowhere yet. */
export function FirstOrganization() {
  const [name, setName] = useState("");
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations", { params: { header: once() }, body: { display_name: name.trim() } })),
    onSuccess: async (organization) => {
      await Promise.all([client.refetchQueries(callerQuery), client.refetchQueries(organizationsQuery)]);
      await navigate({ to: "/o/$org", params: { org: organization.id } });
    },
  });
  return (
    <main className="shell-main stack">
      <PageHead title="Create an organisation" />
      <p>You belong to no organisation yet. Create one, or ask a colleague for an invitation to theirs.</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput label="Name" value={name} maxLength={100} required onChange={(event) => setName(event.currentTarget.value)} maw={360} />
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ""} w="fit-content">
          Create organisation
        </Button>
      </form>
      {create.error && <Failure fault={create.error} />}
      <h2>Or join one that you are invited to</h2>
      <AcceptInvitation />
    </main>
  );
}

import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once } from "../../api/client";
import { environmentsQuery } from "../../api/queries";
import { identifierOf } from "../../lib/identifiers";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { Failure } from "../../ui/states";

/** For an organisation without environments. */
export function FirstEnvironment() {
  const { organization } = useScope();
  const [name, setName] = useState("");
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/environments", {
          params: { path: { organization_id: organization }, header: once() },
          body: { id: identifierOf(name), display_name: name.trim() },
        }),
      ),
    onSuccess: async (environment) => {
      await client.refetchQueries(environmentsQuery(organization));
      await navigate({ to: "/o/$org/e/$env", params: { org: organization, env: environment.id } });
    },
  });
  return (
    <main className="shell-main stack">
      <PageHead title="Create an environment" />
      <p>This organisation has no environment yet. Keys and metrics belong to one, such as production or staging.</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput
          label="Name"
          placeholder="Production"
          description={identifierOf(name) ? `Identifier: ${identifierOf(name)}` : "Its identifier is made from the name and becomes part of its keys."}
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.currentTarget.value)}
          maw={360}
        />
        <Button type="submit" loading={create.isPending} disabled={identifierOf(name) === ""} w="fit-content">
          Create environment
        </Button>
      </form>
      {create.error && <Failure fault={create.error} />}
    </main>
  );
}

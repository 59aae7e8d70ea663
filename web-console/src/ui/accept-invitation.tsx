import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { body, control } from "../api/client";
import { callerQuery, organizationsQuery } from "../api/queries";
import { displayed } from "../lib/displayed";
import { invitationTokenOf } from "../lib/invitations";
import { Failure, Note } from "./states";

/** Joins an organisation by the link of an invitation. */
export function AcceptInvitation() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [link, setLink] = useState("");
  const [asked, setAsked] = useState(false);
  const token = invitationTokenOf(link);
  const accept = useMutation({
    mutationFn: (sent: string) => body(control.POST("/api/v1/invitations/accept", { body: { token: sent } })),
    onSuccess: async () => {
      setLink("");
      setAsked(false);
      await Promise.all([client.refetchQueries(callerQuery), client.refetchQueries(organizationsQuery)]);
    },
  });
  return (
    <form
      className="stack"
      aria-label="Accept an invitation"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (token !== undefined) accept.mutate(token);
      }}
    >
      <TextInput label="Link of the invitation" maw={480} maxLength={2000} autoComplete="off" value={link} error={asked && token === undefined ? "Paste the whole link of the mail: it ends with a token." : undefined} onChange={(event) => setLink(event.currentTarget.value)} />
      {accept.error && <Failure fault={accept.error} />}
      {accept.data && (
        <Note>
          <span className="row">
            You belong to {displayed(accept.data.organization_name, 80)} now.
            <Button variant="default" size="compact-xs" onClick={() => void navigate({ to: "/o/$org", params: { org: accept.data.organization_id } })}>
              Go there
            </Button>
          </span>
        </Note>
      )}
      <Button type="submit" variant="default" w="fit-content" loading={accept.isPending} disabled={link.trim() === ""}>
        Join
      </Button>
    </form>
  );
}

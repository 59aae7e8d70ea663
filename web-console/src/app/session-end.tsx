import { Button, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onSessionEnd } from "../api/client";
import { sessionQuery } from "../api/queries";

/** The session is over while a page is open: sign in beside it, so that nothing typed is lost. */
export function SessionEnd() {
  const [over, setOver] = useState(false);
  const client = useQueryClient();
  useEffect(() => onSessionEnd(() => setOver(true)), []);
  useEffect(() => {
    if (!over) return;
    const look = () => {
      client.fetchQuery({ ...sessionQuery, staleTime: 0 }).then(
        () => {
          setOver(false);
          void client.invalidateQueries();
        },
        () => {},
      );
    };
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [over, client]);
  return (
    <Modal opened={over} onClose={() => setOver(false)} title="Your session is over" centered>
      <div className="stack">
        <p>Sign in again in another tab, then come back: this page stays as it is, with everything you typed.</p>
        <Button component="a" href="/auth/sign-in?return_to=/console/signed-in" target="_blank" rel="noopener">
          Sign in again
        </Button>
      </div>
    </Modal>
  );
}

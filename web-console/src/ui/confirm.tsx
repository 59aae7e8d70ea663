import { Button, Modal, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Failure } from "./states";

/** Asks before something is done that names its object; by typing the name only where nothing brings it back. */
export function Confirm({
  title,
  action,
  children,
  close,
  run,
  pending,
  fault,
  type,
}: {
  title: string;
  action: string;
  children: ReactNode;
  close: () => void;
  run: () => void;
  pending: boolean;
  fault: unknown;
  /** What has to be typed. */
  type?: string;
}) {
  const [typed, setTyped] = useState("");
  return (
    <Modal opened onClose={close} title={title} centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // Else it would submit a form that the question was asked in, too.
          event.stopPropagation();
          if (type === undefined || typed === type) run();
        }}
      >
        {children}
        {type !== undefined && <TextInput label={`Type ${type} to go on`} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" />}
        {fault ? <Failure fault={fault} /> : null}
        <div className="row">
          <Button type="submit" color="red" loading={pending} disabled={type !== undefined && typed !== type}>
            {action}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}

import { Button } from "@mantine/core";
import type { VersionedForm } from "../lib/versioned-form";
import { Note } from "./states";

/** Offers the newest version to whoever typed while somebody else saved. */
export function Outdated<T>({ form, reset }: { form: VersionedForm<T>; reset: () => void }) {
  if (!form.isOutdated) return null;
  return (
    <Note tone="warn">
      <div className="row">
        <span className="grow">Somebody changed this meanwhile. What you typed is still here, and cannot be saved over it.</span>
        <Button
          variant="default"
          onClick={() => {
            reset();
            form.takeNewest();
          }}
        >
          Read the newest version (what you typed goes)
        </Button>
      </div>
    </Note>
  );
}

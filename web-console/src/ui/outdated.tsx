import { Button } from "@mantine/core";
import { Note } from "./states";

/** Offers the newest version to whoever typed while somebody else saved. */
export function Outdated({ take }: { take: () => void }) {
  return (
    <Note tone="warn">
      <div className="row">
        <span className="grow">Somebody changed this meanwhile. What you typed is still here, and cannot be saved over it.</span>
        <Button variant="default" onClick={take}>
          Read the newest version (what you typed goes)
        </Button>
      </div>
    </Note>
  );
}

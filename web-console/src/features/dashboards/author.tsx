import type { Schemas } from "../../api/queries";
import { displayed } from "../../lib/displayed";

/** Who made something: a name where the reader may see people, else what kind of caller it was. */
export function Author({ author, people }: { author: Schemas["DashboardAuthor"]; people: ReadonlyMap<string, string> | undefined }) {
  const name = author.kind === "person" ? people?.get(author.id) : undefined;
  return name ? <span title={author.id}>{displayed(name, 40)}</span> : <span title={author.id}>{author.kind === "person" ? "a member" : "an API key"}</span>;
}

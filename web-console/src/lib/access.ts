import { useQuery } from "@tanstack/react-query";
import { callerQuery } from "../api/queries";
import type { Permission } from "../api/vocabulary.gen";
import { useScope } from "./scope";

/** Whether the person may do it in this organisation or another, or in this environment of it; undefined while that is not known. */
export function useAllowed(permission: Permission, elsewhere?: string): boolean | undefined {
  const { organization: here, environment } = useScope();
  const organization = elsewhere ?? here;
  const caller = useQuery(callerQuery);
  if (!caller.data) return undefined;
  const belonging = caller.data.organizations?.find((each) => each.organization_id === organization);
  if (!belonging) return false;
  return (
    belonging.permissions.includes(permission) ||
    (elsewhere === undefined && belonging.environments.some((each) => each.environment_id === environment && each.permissions.includes(permission)))
  );
}

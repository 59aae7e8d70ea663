import { permissions, roles, type Permission, type Role } from "./vocabulary.gen";

/** Whether this version knows a permission of that name; the API of a newer one may have others. */
export function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name);
}

/** Whether this version knows a role of that name. */
export function isRole(name: string): name is Role {
  return Object.hasOwn(roles, name);
}

/** Whether the role allows it. Permissions do not imply one another. */
export function allows(role: Role, permission: Permission): boolean {
  const allowed: readonly Permission[] = roles[role].permissions;
  return allowed.includes(permission);
}

/** The roles that hold a permission: who can grant it, in a message about a refusal. */
export function rolesWith(permission: Permission): Role[] {
  return (Object.keys(roles) as Role[]).filter((role) => allows(role, permission));
}

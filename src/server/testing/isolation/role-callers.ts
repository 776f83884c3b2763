import { sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { members } from '#server/db/schema/workspaces.ts';
import type { Deps } from '#server/deps.ts';
import type { Role } from '#shared/roles.ts';
import type { Credentials } from '../callers.ts';
import { newTenant } from '../procedure-caller.ts';

/** Members of the target's workspace in each role but the owner's, and somebody who was one. */
const callerRoles = {
  'an admin': 'admin',
  'an editor': 'editor',
  'a viewer': 'viewer',
  'a former member': null,
} as const satisfies Record<string, Role | null>;

export const roleCallerNames = Object.keys(callerRoles) as (keyof typeof callerRoles)[];
export type RoleCallerName = (typeof roleCallerNames)[number];

/** Null: a caller who is no member by role. */
export function roleOf(name: string): Role | null {
  return isRoleCaller(name) ? callerRoles[name] : null;
}

export function isRoleCaller(name: string): name is RoleCallerName {
  return name in callerRoles;
}

type Tenant = Awaited<ReturnType<typeof newTenant>>;
export type RoleCallers = Record<RoleCallerName, { tenant: Tenant; credentials: Credentials }>;

export async function makeRoleCallers(deps: Deps): Promise<RoleCallers> {
  const make = async () => {
    const tenant = await newTenant(deps);
    return { tenant, credentials: { cookie: `${sessionCookie(false).name}=${tenant.cookieValue}` } };
  };
  return {
    'an admin': await make(),
    'an editor': await make(),
    'a viewer': await make(),
    'a former member': await make(),
  };
}

interface Joined {
  owner: Tenant;
  workspaceId: number;
  /** Which the server knows that the former member could read; null: there is none. */
  collection: string | null;
}

/** Makes them members, and the former one no longer. Answers who only reads. */
export async function joinRoleCallers(
  deps: Deps,
  callers: RoleCallers,
  { owner, workspaceId, collection }: Joined,
): Promise<number> {
  const rows = roleCallerNames.map((name) => ({
    workspaceId,
    userId: callers[name].tenant.user.id,
    role: callerRoles[name] ?? ('admin' as const),
  }));
  await deps.record.write((tx) => tx.insert(members).values(rows));
  const { call, user } = callers['a former member'].tenant;
  if (collection !== null) await call.search.keyword({ collection, query: '*' });
  await owner.call.members.remove({ workspaceId, userId: user.id });
  return callers['a viewer'].tenant.user.id;
}

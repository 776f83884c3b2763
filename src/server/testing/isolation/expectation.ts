import { isAtLeast, type Role } from '#shared/roles.ts';
import type { Operation } from './operations.ts';
import { roleCallerNames, roleOf } from './role-callers.ts';
import type { Route } from './transports.ts';
import type { CallerName } from './world.ts';

/** `done`: any success. `in place`: a success whose one result is a NOT_FOUND. */
export type Expectation = 401 | 403 | 404 | 'done' | 'in place';

export const badKeys: CallerName[] = ['a malformed key', 'an unknown key', 'a revoked key', 'an expired key'];
const keysOfTheProject: CallerName[] = [
  'a read-only key',
  'a write-only key',
  'a key limited to another collection',
  "the project's key",
];

const signedIn: CallerName[] = ['the owner', "another tenant's session", ...roleCallerNames];

/** What the contract answers to this caller. */
export function expectationFor(route: Route, operation: Operation, caller: CallerName): Expectation {
  const { access, name, rest } = route.procedure;
  const isTrpc = route.transport === 'tRPC';
  if (isTrpc && rest?.stream) return 404;
  if (badKeys.includes(caller)) return 401;
  // Keys die with their project or workspace.
  const isProjectDead = operation.before === 'project deleted' || operation.before === 'workspace deleted';
  if (isProjectDead && keysOfTheProject.includes(caller)) return 401;
  if (operation.before === 'API key deleted' && caller === "the project's key") return 401;
  if (access === 'public') {
    return name === 'auth.me' && !isTrpc && !signedIn.includes(caller) ? 401 : 'done';
  }
  if (caller === 'nobody') return 401;
  if (caller === 'the owner') return 'done';
  if (caller === "another tenant's session" || caller === 'a former member') return foreign(operation);
  const role = roleOf(caller);
  if (role !== null) return asMember(route, operation, role);
  if (access === 'session') return 403;
  if (caller === 'a read-only key' && access !== 'read') return 403;
  if (caller === 'a write-only key' && access !== 'write') return 403;
  // The owner's session began it, and no key.
  if (operation.names === 'conversation') return 404;
  if (caller === 'a read-only key' || caller === 'a write-only key') return 'done';
  if (caller === "the project's key") return 'done';
  if (caller === 'a key limited to another collection' && operation.limitedKey) {
    return operation.limitedKey === 200 ? 'done' : operation.limitedKey;
  }
  return foreign(operation);
}

function asMember({ procedure }: Route, operation: Operation, role: Role): Expectation {
  // The owner's session began it.
  if (operation.names === 'conversation') return 404;
  const roleMin = operation.roleMin ?? procedure.roleMin;
  const isEnough = roleMin === null || isAtLeast(role, roleMin);
  return isEnough || operation.names === 'nothing' ? 'done' : 403;
}

function foreign(operation: Operation): Expectation {
  if (operation.names === 'nothing') return 'done';
  return operation.names === 'inside' ? 'in place' : 404;
}

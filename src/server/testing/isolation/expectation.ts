import type { Operation } from './operations.ts';
import type { Route } from './transports.ts';
import type { CallerName } from './world.ts';

/** `done`: any success. `in place`: a success whose one result is a NOT_FOUND. */
export type Expectation = 401 | 403 | 404 | 'done' | 'in place';

const badKeys: CallerName[] = ['a malformed key', 'an unknown key', 'a revoked key', 'an expired key'];
const keysOfTheProject: CallerName[] = [
  'a read-only key',
  'a write-only key',
  'a key limited to another collection',
  "the project's key",
];

/** What the contract answers to this caller. */
export function expectationFor(route: Route, operation: Operation, caller: CallerName): Expectation {
  const { access, name, rest } = route.procedure;
  const isTrpc = route.transport === 'tRPC';
  if (isTrpc && rest?.stream) return 404;
  if (badKeys.includes(caller)) return 401;
  // Keys die with their project or workspace.
  const isProjectDead = operation.before === 'project deleted' || operation.before === 'workspace deleted';
  if (isProjectDead && keysOfTheProject.includes(caller)) return 401;
  if (access === 'public') {
    const isSignedIn = caller === 'the owner' || caller === "another tenant's session";
    return name === 'auth.me' && !isTrpc && !isSignedIn ? 401 : 'done';
  }
  if (caller === 'nobody') return 401;
  if (caller === 'the owner') return 'done';
  if (caller === "another tenant's session") return foreign(operation);
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

function foreign(operation: Operation): Expectation {
  if (operation.names === 'nothing') return 'done';
  return operation.names === 'inside' ? 'in place' : 404;
}

import type { Origin } from '#server/audit/audit-entry.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Deps } from '#server/deps.ts';
import type { Context } from '#server/rpc/context.ts';
import { appRouter } from '#server/rpc/router.ts';
import { createCallerFactory } from '#server/rpc/trpc.ts';
import type { RegisterInput } from '#shared/accounts.ts';

const makeCaller = createCallerFactory(appRouter);

/** What reached the caller's cookie, last one last; null: it was cleared. */
export type Cookies = ({ value: string; expiresAt: Date } | null)[];

/** A request from this address. */
export function originAt(address: string): Origin {
  return { requestId: 'test', address, userAgent: null };
}

/** What a procedure knows when this principal calls it. */
export function contextOf(deps: Deps, principal: Principal | null, cookies: Cookies = []): Context {
  return {
    deps,
    principal,
    requester: { tenant: 'test', caller: 'test' },
    held: {
      body: deps.memory.bodies.hold('test'),
      answer: deps.memory.answers.hold('test'),
      spool: deps.memory.spools.hold('test'),
    },
    identifyAgain: async () => principal,
    log: deps.log,
    request: {
      ...originAt('192.0.2.1'),
      signal: new AbortController().signal,
      way: 'rest',
      calls: 1,
      answerBytesMax: deps.settings.answerBytesMax,
    },
    cookies: {
      setSession: (value, expiresAt) => void cookies.push({ value, expiresAt }),
      setDevice: () => undefined,
      setPendingLogin: () => undefined,
      clearPendingLogin: () => undefined,
      clearSession: () => void cookies.push(null),
    },
  };
}

/** Calls the procedures in the process, as this principal. */
export function callAs(deps: Deps, principal: Principal | null, cookies: Cookies = []) {
  return makeCaller(contextOf(deps, principal, cookies));
}

export const testPassword = 'analytical engine';
let people = 0;

/** A new account with its first workspace and the project in it. */
export async function newTenant(deps: Deps, given: Partial<RegisterInput> = {}) {
  const name = `tenant-${++people}-${Date.now().toString(36)}`;
  const { user, session } = await deps.auth.register(
    {
      email: `${name}@example.org`,
      username: name,
      password: testPassword,
      confirmPassword: testPassword,
      firstName: null,
      lastName: null,
      ...given,
    },
    originAt(`test-${name}`),
  );
  const found = await deps.auth.authenticateSession(session.cookieValue);
  if (!found) throw new Error('the new session was refused');
  const call = callAs(deps, found.principal);
  const [workspace] = await call.workspaces.list();
  if (!workspace) throw new Error('the new account has no workspace');
  const [project] = await call.projects.list({ workspaceId: workspace.id });
  if (!project) throw new Error('the new workspace has no project');
  return { user, cookieValue: session.cookieValue, principal: found.principal, call, workspace, project };
}

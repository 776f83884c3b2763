import { TOTP } from 'otpauth';
import { makeApiKey } from '#server/auth/keys/key-format.ts';
import { issueResetToken } from '#server/auth/passwords/reset-links.ts';
import { keepEmailLink, makeEmailLink } from '#server/auth/profile/email-links.ts';
import { secretBinding } from '#server/auth/second-factor/spend-code.ts';
import { makeTotpSecret } from '#server/auth/second-factor/totp.ts';
import { sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { secondFactors } from '#server/db/schema/accounts.ts';
import { requests } from '#server/db/schema/requests.ts';
import { members } from '#server/db/schema/workspaces.ts';
import type { Deps } from '#server/deps.ts';
import type { Credentials } from '../callers.ts';
import { newTenant, originAt, testPassword } from '../procedure-caller.ts';
import { signedIn } from '../test-auth.ts';
import { calibrate, clickFilm, makeFilms } from './films.ts';
import { type MadeNoun, madeNouns, type Operation, operations, type Target } from './operations.ts';
import type { Reads } from './reads-of.ts';
import {
  isRoleCaller,
  joinRoleCallers,
  makeRoleCallers,
  type RoleCallerName,
  roleCallerNames,
} from './role-callers.ts';

const callerNames = [
  'nobody',
  'a malformed key',
  'an unknown key',
  'a revoked key',
  'an expired key',
  'a read-only key',
  'a write-only key',
  'a key limited to another collection',
  "another project's key",
  "another tenant's key",
  "another tenant's session",
  'the owner',
  "the project's key",
  ...roleCallerNames,
] as const;
export type CallerName = (typeof callerNames)[number];

/** Roles are held in workspaces, so what is about accounts alone is not tried by each. */
export function callersOf({ endsSession }: { endsSession?: true | undefined }): readonly CallerName[] {
  return endsSession ? callerNames.filter((name) => !isRoleCaller(name)) : callerNames;
}

/** @throws Error for one that was not made */
export type Callers = (name: CallerName) => Credentials;

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function openSession(deps: Deps, tenant: Tenant): Promise<{ cookie: string }> {
  const input = { email: tenant.user.email, password: testPassword };
  const { session } = signedIn(await deps.auth.login(input, originAt('isolation')));
  return { cookie: `${sessionCookie(false).name}=${session.cookieValue}` };
}

/** Two tenants who know nothing of each other; each has keys of another project that must not help. Members by role only where some are to call. */
export async function makeTenants(deps: Deps, { hasRoles = true } = {}) {
  const owner = await newTenant(deps);
  const stranger = await newTenant(deps);
  const otherProject = await makeKey(owner, owner.project.id);
  const otherTenant = await makeKey(stranger, stranger.project.id);
  await stranger.call.collections.create({ name: 'Theirs', projectId: stranger.project.id });
  const roles = hasRoles ? await makeRoleCallers(deps) : null;
  const sessions = { owner: await openSession(deps, owner), stranger: await openSession(deps, stranger) };
  return { owner, stranger, otherProject, otherTenant, sessions, roles };
}
export type Tenants = Awaited<ReturnType<typeof makeTenants>>;

async function makeKey(
  tenant: Tenant,
  projectId: number,
  options: { permissions?: ('read' | 'write')[]; expiresAt?: string; collections?: string[] } = {},
): Promise<{ key: string; id: number }> {
  const created = await tenant.call.apiKeys.create({ name: 'Key', projectId, ...options });
  return { key: created.key, id: created.id };
}

/** A session that nobody uses, a reset link, and one that changes the email. */
async function makeWaysIn(deps: Deps, owner: Tenant): Promise<WaysIn> {
  await openSession(deps, owner);
  const [newest] = await owner.call.sessions.list();
  const { email, id: userId } = owner.user;
  const now = deps.clock();
  const issued = await deps.record.write((tx) => issueResetToken(tx, { email, now }));
  const link = makeEmailLink(`next-${email}`, now);
  await deps.record.write((tx) => keepEmailLink(tx, { userId, link, now }));
  if (!newest || !issued) throw new Error('the account has no session or no reset link');
  return { sessionId: newest.id, resetToken: issued.token, emailToken: link.token };
}

type WaysIn = Pick<Target, 'sessionId' | 'resetToken' | 'emailToken'>;
const noWayIn = { resetToken: 'unknown', emailToken: 'unknown' };

/** Of both accounts, made from one secret: whoever calls has a code that is right for the own account. */
async function makeSecondFactors(
  deps: Deps,
  { owner, stranger }: Tenants,
  before: 'second factor started' | 'second factor on',
): Promise<Pick<Target, 'code' | 'pendingLogin'>> {
  const { record, secrets, clock } = deps;
  const secret = makeTotpSecret();
  const confirmedAt = before === 'second factor on' ? clock() : null;
  const rows = [owner, stranger].map(({ user }) => ({
    userId: user.id,
    secret: secrets.seal(secret, secretBinding(user.id)),
    confirmedAt,
  }));
  await record.write((tx) => tx.insert(secondFactors).values(rows));
  const input = { email: owner.user.email, password: testPassword };
  const shown = await deps.auth.login(input, originAt('isolation'));
  return {
    code: () => new TOTP({ secret }).generate({ timestamp: clock().getTime() }),
    pendingLogin: 'pendingLogin' in shown ? shown.pendingLogin.cookieValue : '',
  };
}

/** A link to a workspace that none of the callers is in. */
async function inviteElsewhere(deps: Deps): Promise<Pick<Target, 'workspaceId' | 'invitationToken'>> {
  const { call, workspace } = await newTenant(deps);
  const { token } = await call.invitations.create({ workspaceId: workspace.id, role: 'viewer' });
  return { workspaceId: workspace.id, invitationToken: token };
}

/** Somebody else who could go on with a workspace. */
async function addOwner(deps: Deps, workspaceId: number): Promise<void> {
  const { user } = await newTenant(deps);
  const member = { workspaceId, userId: user.id, role: 'owner' as const };
  await deps.record.write((tx) => tx.insert(members).values(member));
}

/** One of each of these nouns, as the row of its `create` says. */
async function makeOthers({ call }: Tenant, target: Target, nouns: readonly MadeNoun[]): Promise<void> {
  for (const noun of nouns) {
    const create: (input: never) => Promise<{ id: number }> = call[noun].create;
    const { id } = await create(operations[`${noun}.create`].input(target, 0) as never);
    target.made[noun] = id;
  }
}

/** Under the place that `requests.get` is tried with. */
async function keepRequest({ record }: Deps, workspaceId: number): Promise<void> {
  const request = { requestId: 'request', operation: 'search.keyword', type: 'search', way: 'api' } as const;
  const row = { ...request, workspaceId, place: 1, createdAt: new Date(), status: 200, tookMs: 1 };
  await record.write((db) => db.insert(requests).values({ ...row, replay: 'other' }));
}

/** Of a further page, so that nothing is counted. */
function issueQueryId({ searchLog }: Deps, collectionId: number): string {
  const collection = { id: collectionId, for: { tenant: 'isolation' } };
  const search = { mode: 'keyword', query: 'metropolis', found: 2, tookMs: 1, isCounted: false } as const;
  return searchLog.note({ collection, typist: 'isolation', ...search });
}

/** What operations are tried on, and those who try. */
export interface Made {
  target: Target;
  callers: Callers;
}

/**
 * Fresh things of the owner's for one operation, and those who will try it on them: each key costs as much as a collection. With `reads`
 * there is no more than the call names and these callers need.
 */
export async function makeTarget(
  deps: Deps,
  standing: Tenants,
  { before, endsSession, reads }: Pick<Operation, 'before' | 'endsSession'> & { reads?: Reads } = {},
  names: readonly CallerName[] = callersOf({ endsSession }),
): Promise<Made> {
  const tenants = endsSession ? await makeTenants(deps, { hasRoles: false }) : standing;
  const { owner, otherProject, otherTenant, sessions, roles } = tenants;
  const { call } = owner;
  const isRead = (...fields: (keyof Target)[]) => !reads || fields.some((name) => reads.fields.has(name));
  const calls = (...callers: CallerName[]) => callers.some((name) => names.includes(name));
  const workspace = await call.workspaces.create({ name: 'Target' });
  const project = await call.projects.create({ name: 'Target', workspaceId: workspace.id });
  const hasFilms =
    isRead('collection', 'collectionId', 'alias', 'importId', 'documentId', 'queryId', 'conversationId') ||
    calls('a former member');
  const films = hasFilms ? await makeFilms(owner, project.id) : null;
  if (!reads || calls('a key limited to another collection'))
    await call.collections.create({ name: 'Other', projectId: project.id, dimension: 384 });
  if (!reads) await keepRequest(deps, workspace.id);
  const target: Target = {
    ...unknownIds,
    workspaceId: workspace.id,
    projectId: project.id,
    ...films,
    made: { ...unknownIds.made },
    documentId: '1',
    ...(films && { queryId: issueQueryId(deps, films.collectionId) }),
    email: owner.user.email,
    password: testPassword,
    ...(endsSession && (await makeWaysIn(deps, owner))),
    pendingLogin: '',
  };
  // An account that is alone in its workspaces may be deleted.
  if (roles && (isRead('memberId') || calls(...roleCallerNames)))
    target.memberId = await joinRoleCallers(deps, roles, {
      owner,
      workspaceId: workspace.id,
      collection: films && target.collection,
    });
  if (before === 'calibrated') await calibrate(owner, target.collection);
  if (before === 'clicked' && films) await clickFilm(deps, films.collectionId);
  if (before === 'conversation begun' || before === 'conversation deleted')
    target.conversationId = (
      await call.chat.ask({ collection: target.collection, message: 'What is Metropolis?' })
    ).conversation_id;
  if (before === 'second factor started' || before === 'second factor on')
    Object.assign(target, await makeSecondFactors(deps, tenants, before));
  const hasKey =
    before === 'API key deleted' ||
    calls("the project's key", 'a malformed key') ||
    reads?.made.has('apiKeys');
  await makeOthers(
    owner,
    target,
    madeNouns.filter((noun) => !reads || reads.made.has(noun) || (noun === 'apiKeys' && hasKey)),
  );
  const projectKey =
    !reads || hasKey ? (await call.apiKeys.reveal({ id: target.made.apiKeys })).key : makeApiKey();
  const inRole = (name: RoleCallerName) => () => roles?.[name].credentials ?? null;
  const make: Record<CallerName, () => Credentials | Promise<Credentials>> = {
    nobody: () => null,
    'a malformed key': () => ({ key: `${projectKey.slice(0, -1)}${projectKey.endsWith('0') ? '1' : '0'}` }),
    'an unknown key': () => ({ key: makeApiKey() }),
    'a revoked key': async () => {
      const revoked = await makeKey(owner, project.id);
      await call.apiKeys.update({ id: revoked.id, isActive: false });
      return revoked;
    },
    'an expired key': () => makeKey(owner, project.id, { expiresAt: '2020-01-01T00:00:00Z' }),
    'a read-only key': () => makeKey(owner, project.id, { permissions: ['read'] }),
    'a write-only key': () => makeKey(owner, project.id, { permissions: ['write'] }),
    'a key limited to another collection': () => makeKey(owner, project.id, { collections: ['Other'] }),
    "another project's key": () => otherProject,
    "another tenant's key": () => otherTenant,
    "another tenant's session": () => sessions.stranger,
    'the owner': () => sessions.owner,
    "the project's key": () => ({ key: projectKey }),
    'an admin': inRole('an admin'),
    'an editor': inRole('an editor'),
    'a viewer': inRole('a viewer'),
    'a former member': inRole('a former member'),
  };
  const made = new Map<CallerName, Credentials>();
  for (const name of names) made.set(name, await make[name]());
  const callers: Callers = (name) => {
    const credentials = made.get(name);
    if (credentials === undefined) throw new Error(`${name} was not made`);
    return credentials;
  };
  if (before === 'another owner') await addOwner(deps, workspace.id);
  if (before === 'invited elsewhere') Object.assign(target, await inviteElsewhere(deps));
  if (before === 'collection deleted') await call.collections.delete({ collection: target.collection });
  if (before === 'API key deleted') await call.apiKeys.delete({ id: target.made.apiKeys });
  if (before === 'conversation deleted') await call.conversations.delete({ id: target.conversationId });
  if (before === 'project deleted') await call.projects.delete({ id: project.id });
  if (before === 'workspace deleted') await call.workspaces.delete({ id: workspace.id });
  return { target, callers };
}

const unknownId = 900_000_000;

/** What nothing bears. */
export const unknownIds = {
  workspaceId: unknownId,
  projectId: unknownId,
  collectionId: unknownId,
  collection: String(unknownId),
  conversationId: unknownId,
  alias: 'unknown',
  importId: unknownId,
  queryId: 'unknown',
  sessionId: unknownId,
  memberId: unknownId,
  invitationToken: 'unknown',
  ...noWayIn,
  pendingLogin: 'unknown',
  code: () => '000000',
  made: Object.fromEntries(madeNouns.map((noun) => [noun, unknownId])) as Record<MadeNoun, number>,
};

/** The same names for things that were never there. */
export function unknownTarget(target: Target): Target {
  return { ...target, ...unknownIds };
}

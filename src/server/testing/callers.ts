import type { User } from '#shared/accounts.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import type { Workspace } from '#shared/workspaces.ts';
import type { Kit } from './kit.ts';

/** How a test's caller shows who it is. */
export type Credentials = { cookie: string } | { key: string } | null;

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}

export const origin = 'http://localhost';

/** One REST call as a well-behaved caller makes it; `body` is sent as JSON unless it is text already. */
export async function call<T>(
  kit: Pick<Kit, 'app'>,
  request: {
    method: string;
    path: string;
    body?: unknown;
    as?: Credentials;
    headers?: Record<string, string>;
    /** Beside what shows who it is. */
    cookie?: string | undefined;
  },
): Promise<Answer<T>> {
  const headers: Record<string, string> = { host: 'localhost' };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (request.as && 'cookie' in request.as) Object.assign(headers, { cookie: request.as.cookie, origin });
  if (request.cookie) headers['cookie'] = [headers['cookie'], request.cookie].filter(Boolean).join('; ');
  if (request.as && 'key' in request.as) headers['x-api-key'] = request.as.key;
  const init: RequestInit = { method: request.method, headers: { ...headers, ...request.headers } };
  if (request.body !== undefined) {
    init.body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  }
  const response = await kit.app.request(`${origin}${request.path}`, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = (isJson && text !== '' ? JSON.parse(text) : text) as T;
  return { status: response.status, body, headers: response.headers };
}

/** The call's body, when it is what a success answers. */
export async function must<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

export interface SignedUp {
  user: User;
  as: { cookie: string };
  /** The workspace everybody gets on signing up. */
  workspace: Workspace;
}

let people = 0;

/** Of everybody who signed up here. */
const password = 'correct horse battery staple';

export async function signUp(kit: Kit, name = `person${++people}`): Promise<SignedUp> {
  const answer = await call<{ user: User }>(kit, {
    method: 'POST',
    path: '/api/auth/register',
    body: { email: `${name}@example.com`, username: name, password, confirmPassword: password },
  });
  const { user } = await must(Promise.resolve(answer));
  const as = { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const [workspace] = await must(call<Workspace[]>(kit, { method: 'GET', path: '/api/workspaces', as }));
  if (!workspace) throw new Error('a new user has no workspace');
  return { user, as, workspace };
}

/** In a new browser: what shows who it is, and what the browser is known by once it is signed out. */
export async function signIn(kit: Kit, { email }: Pick<User, 'email'>) {
  const answer = await call(kit, { method: 'POST', path: '/api/auth/login', body: { email, password } });
  await must(Promise.resolve(answer));
  const [session = '', device = ''] = answer.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
  return { as: { cookie: session }, device: { cookie: device } };
}

export async function createProject(kit: Kit, owner: SignedUp, name = 'Project'): Promise<Project> {
  const body = { name, workspaceId: owner.workspace.id };
  return must(call<Project>(kit, { method: 'POST', path: '/api/projects', body, as: owner.as }));
}

export async function createCollection(
  kit: Kit,
  owner: SignedUp,
  collection: { projectId: number; name?: string; dimension?: number; metadata?: unknown },
): Promise<Collection> {
  const body = { name: 'things', dimension: 384, ...collection };
  return must(call<Collection>(kit, { method: 'POST', path: '/api/collections', body, as: owner.as }));
}

export async function createKey(
  kit: Kit,
  owner: SignedUp,
  key: { projectId: number; permissions?: string[]; collections?: string[]; expiresAt?: string },
): Promise<ApiKey> {
  const body = { name: 'key', ...key };
  return must(call<ApiKey>(kit, { method: 'POST', path: '/api/api-keys', body, as: owner.as }));
}

/** What most tests begin with: somebody with a project, a collection in it, and a key. */
export async function createTenant(
  kit: Kit,
  { name = 'things', dimension = 8 } = {},
): Promise<{ owner: SignedUp; project: Project; collection: Collection; key: ApiKey }> {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  const collection = await createCollection(kit, owner, { projectId: project.id, name, dimension });
  return { owner, project, collection, key: await createKey(kit, owner, { projectId: project.id }) };
}

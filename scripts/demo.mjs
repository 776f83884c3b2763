// Fills a running server with a demo account and three sample collections, over the same REST API everybody uses.
// Run twice it changes nothing: the account is kept beside the data, and imports replace by id.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '..');

const collections = [
  {
    name: 'films',
    description: 'Films of 1900 to 2023 with an extract of their Wikipedia article (CC BY-SA 4.0).',
    read: () => gunzipSync(readFileSync(path.join(root, 'samples/films.ndjson.gz'))),
  },
  {
    name: 'artworks',
    description: "Works in Tate's collection with artist, medium and subjects (CC0).",
    read: () => gunzipSync(readFileSync(path.join(root, 'samples/artworks.ndjson.gz'))),
  },
  {
    name: 'products',
    description: 'A small catalogue of made-up products, the one behind the landing page.',
    read: async () => {
      const { products } = await import(path.join(root, 'dist/server/products.js'));
      return Buffer.from(products.map((product) => `${JSON.stringify(product)}\n`).join(''));
    },
  },
];

/**
 * @param {{ url: string, dataDir: string }} server
 * @returns {Promise<{ email: string, password: string, key: string }>}
 */
export async function seedDemo({ url, dataDir }) {
  const { isNew, ...account } = loadAccount(path.join(dataDir, 'demo-account.json'));
  const session = await signIn(url, account, isNew);
  const api = (method, route, body) => call(url, method, route, { cookie: session, origin: url }, body);

  const [workspace] = await api('GET', '/api/workspaces');
  const projects = await api('GET', `/api/projects?workspaceId=${workspace.id}`);
  const project =
    projects.find(({ name }) => name === 'Demo') ??
    projects[0] ??
    (await api('POST', '/api/projects', {
      name: 'Demo',
      description: 'Three sample collections to try searches on.',
      workspaceId: workspace.id,
    }));

  const existing = await api('GET', `/api/collections?projectId=${project.id}`);
  for (const { name, description, read } of collections) {
    const collection =
      existing.find((other) => other.name === name) ??
      (await api('POST', '/api/collections', { name, description, projectId: project.id, dimension: 384 }));
    if (collection.documentCount > 0) continue;
    process.stdout.write(`Loading ${name} …`);
    const summary = await call(
      url,
      'POST',
      `/api/collections/${collection.id}/documents/import`,
      { cookie: session, origin: url, 'content-type': 'application/x-ndjson' },
      await read(),
    );
    process.stdout.write(` ${summary.succeeded} documents\n`);
  }

  const keys = await api('GET', `/api/api-keys?projectId=${project.id}`);
  const permissions = ['read', 'write'];
  const isDemoKey = ({ name, isActive, permissions: has }) =>
    name === 'Demo key' && isActive && permissions.every((one) => has.includes(one));
  const known = keys.find(isDemoKey);
  // One that was encrypted with another APP_SECRET cannot be revealed.
  const revealed = known && (await api('POST', `/api/api-keys/${known.id}/reveal`).catch(() => null));
  const key =
    revealed ??
    (await api('POST', '/api/api-keys', { name: 'Demo key', projectId: project.id, permissions }));
  return { ...account, key: key.key };
}

function loadAccount(file) {
  if (existsSync(file)) return { ...JSON.parse(readFileSync(file, 'utf8')), isNew: false };
  const account = { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
  writeFileSync(file, JSON.stringify(account), { mode: 0o600 });
  return { ...account, isNew: true };
}

/** Registers the account, or signs in to the one an earlier run made, unless that ended before it was made; answers the cookie. */
async function signIn(url, { email, password }, isNew) {
  const headers = { 'content-type': 'application/json', origin: url };
  const send = (route, body) =>
    fetch(new URL(route, url), { method: 'POST', headers, body: JSON.stringify(body) });
  const person = { email, username: 'demo', firstName: 'Demo', lastName: 'User', password };
  const register = () => send('/api/auth/register', { ...person, confirmPassword: password });
  const login = () => send('/api/auth/login', { email, password });
  let response = await (isNew ? register() : login());
  // The file may be newer than the data, or older.
  if (response.status === 401) response = await register();
  else if (response.status === 409) response = await login();
  if (!response.ok) throw new Error(`The demo account cannot be opened: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function call(url, method, route, headers, body) {
  const isRaw = Buffer.isBuffer(body);
  const response = await fetch(new URL(route, url), {
    method,
    headers: body === undefined || isRaw ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** What a newcomer does next, ready to paste. */
export function demoMessage(url, { email, password, key }) {
  return `
  The demo is ready.

    Console    ${url}/login
    Email      ${email}
    Password   ${password}

  Search it from another terminal:

    export URL=${url} KEY=${key}
    curl -s "$URL/api/collections/films/hybrid-search?query=robots+learning+to+love&per_page=3" -H "X-API-Key: $KEY"

  Then the lines of README.md and docs/ run as they stand. All calls, to read and to try: ${url}/api/docs

`;
}

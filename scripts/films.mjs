/** What the scripts that load the films of `wiki-movies` into a running server have in common. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

export const queries = [
  'space travel',
  'a heist that goes wrong',
  'world war two submarine',
  'romantic comedy in paris',
  'detective murder mystery',
  'boxer comeback',
];

/** Each film as a line of JSON, under its id. Without `file`: $DATASETS_DIR/wiki-movies/corpus.jsonl.gz. */
export async function* readFilms(file = corpus()) {
  const input = createReadStream(file).pipe(createGunzip());
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text === '') continue;
    const { _id: id, ...film } = JSON.parse(text);
    yield { id, line: `${JSON.stringify({ id, ...film })}\n` };
  }
}

function corpus() {
  const folder = process.env.DATASETS_DIR;
  if (!folder) throw new Error('Set DATASETS_DIR to the folder that holds wiki-movies');
  return path.join(folder, 'wiki-movies', 'corpus.jsonl.gz');
}

/** Registers an account and makes a project with these collections; answers a key to it. */
export async function freshKey(url, { collections, dimension }) {
  const name = `films-${Date.now().toString(36)}`;
  const password = `${name}-${Math.random().toString(36)}`;
  const person = { email: `${name}@example.com`, username: name, password, confirmPassword: password };
  const { cookie } = await post(url, '/auth/register', person);
  const headers = { Cookie: cookie, Origin: url };
  const workspace = await post(url, '/workspaces', { name }, headers);
  const project = await post(url, '/projects', { name, workspaceId: workspace.body.id }, headers);
  const projectId = project.body.id;
  for (const each of collections)
    await post(url, '/collections', { name: each, dimension, projectId }, headers);
  return (await post(url, '/api-keys', { name, projectId }, headers)).body.key;
}

async function post(url, route, body, headers) {
  const response = await fetch(`${url}/api${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${route}: ${response.status} ${await response.text()}`);
  return { body: await response.json(), cookie: response.headers.getSetCookie()[0]?.split(';')[0] };
}

import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { catalogue } from '#server/rest/catalogue.ts';
import { call, createCollection, createKey, createProject, must, signUp } from './callers.ts';
import { demoFilms } from './demo-films.ts';
import { type DocumentedLine, documentedLines } from './documented-lines.ts';
import { restRequest } from './isolation/transports.ts';
import { type Kit, startKit } from './kit.ts';
import { isOfOperators, operatorFault } from './operator-faults.ts';

/**
 * What README.md and docs/ show as a line of shell is run as a reader would run it: by bash and curl, against a server with the demo's
 * films; and what the API's description shows as an example. What an operator types names scripts, options and services that are there.
 */

const root = path.resolve(import.meta.dirname, '../../..');
const inFolder = (folder: string) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
const pages = ['README.md', ...inFolder('docs'), ...inFolder('docs/articles')]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, lines: documentedLines(readFileSync(path.join(root, name), 'utf8')) }));
const isForOperators = ({ command }: DocumentedLine) => isOfOperators(command);
/** What a reader has to fill in is shown as `…`. */
const isForReaders = ({ command }: DocumentedLine) => !isOfOperators(command) && !command.includes('…');
const hasTools = ['bash', 'curl', 'gzip'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** A curl that tells whether it was answered well. */
const strictCurl = 'curl() { command curl --fail-with-body "$@"; }';

let kit: Kit;
let server: RunningServer;
let env: Record<string, string | undefined>;
let cwd: string;

beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  const owner = await signUp(kit);
  const { id: projectId } = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId, name: 'films' });
  const { key } = await createKey(kit, owner, { projectId });
  const body = demoFilms({ oneOf: 10 });
  const headers = { 'content-type': 'application/x-ndjson' };
  const upload = { method: 'POST', path: '/api/collections/films/documents/import', body, headers };
  await must(call(kit, { ...upload, as: { key } }));
  env = { ...process.env, URL: server.url, KEY: key };
  cwd = await mkdtemp(path.join(tmpdir(), 'vectora-lines-'));
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
  await rm(cwd, { recursive: true });
});

/** @param variables that lines before have given values; this one may give one @throws Error where it fails, with what was answered, or has no value to give */
async function run(
  { definitions, command, variable }: DocumentedLine,
  variables: Map<string, string> = new Map(),
): Promise<string> {
  // What ends well behind a pipe may have been given an error.
  const script = ['set -o pipefail', strictCurl, definitions, command].join('\n');
  const given = { cwd, env: { ...env, ...Object.fromEntries(variables) } };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], given);
  if (variable === null) return stdout;
  const value = stdout.trimEnd();
  if (value === '') throw new Error(`${variable} is given nothing by ${command}`);
  variables.set(variable, value);
  return stdout;
}

/** An answer that shows what its line is there to show. */
function expectConvincing(text: string): void {
  if (!text.startsWith('{')) return;
  for (const line of text.trim().split('\n')) {
    const answer: Record<string, unknown> = JSON.parse(line);
    const parts = [answer, ...((answer['results'] ?? []) as Record<string, unknown>[])];
    for (const { found, failed = 0, answered, error = null } of parts) {
      const isPoor = found === 0 || failed !== 0 || answered === false || error !== null;
      expect(isPoor, text.slice(0, 1_000)).toBe(false);
    }
  }
}

const isAny = (line: DocumentedLine) => isForReaders(line) || isForOperators(line);

describe.each(pages.filter(({ lines }) => lines.some(isAny)))('$name', ({ lines }) => {
  const variables = new Map<string, string>();
  test.skipIf(!hasTools).each(lines.filter(isForReaders))('$command', async (line) => {
    expectConvincing(await run(line, variables));
  });
  test.each(lines.filter(isForOperators))('$command', ({ command }) => {
    expect(operatorFault(command, root)).toBeNull();
  });
});

/** What is made is there before it is asked for, and gone at last. */
const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
const examples = catalogue
  .filter(({ access, group }) => (access === 'read' || access === 'write') && group !== 'Conversations')
  .filter(({ example }) => Object.keys(example).length > 0)
  .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

test.each(examples)('the example of $method $path can be tried on the films', async (operation) => {
  const as = { key: env['KEY'] ?? '' };
  const fields: Record<string, unknown> = { ...operation.example };
  // That of a search of one's own.
  if ('query_id' in fields) fields['query_id'] = await searchedId(as);
  if (operation.path.endsWith('/calibration')) await judgeFilms(as);
  const request = restRequest(operation, fields);
  const { status, body } = await call<unknown>(kit, { ...request, as });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  expectConvincing(JSON.stringify(body));
});

/** Films by their titles: as many as a calibration needs. */
async function judgeFilms(as: { key: string }): Promise<void> {
  const films = demoFilms({ oneOf: 10 }).split('\n').slice(0, 20);
  const judged = films.map((film) => {
    const { id, title } = JSON.parse(film) as { id: string; title: string };
    return { query: title, document: id, grade: 1 };
  });
  const path = '/api/collections/films/judgements/import';
  await must(call(kit, { method: 'POST', path, body: judged, as }));
}

async function searchedId(as: { key: string }): Promise<string> {
  const path = '/api/collections/films/search?q=robot';
  return (await must(call<{ query_id: string }>(kit, { method: 'GET', path, as }))).query_id;
}

test('lines stand in the README and in each page of what callers do', () => {
  const count = (name: string) => pages.find((page) => page.name === name)?.lines.filter(isForReaders).length;
  expect(count('README.md')).toBeGreaterThanOrEqual(5);
  expect(count('docs/search.md')).toBeGreaterThanOrEqual(25);
  expect(count('docs/documents.md')).toBeGreaterThanOrEqual(20);
  expect(count('docs/chat.md')).toBeGreaterThanOrEqual(2);
});

test('what a variable is given is a line of its own, on the pages too', () => {
  const given = pages.flatMap(({ name, lines }) =>
    lines.flatMap(({ variable, command }) => (variable === null ? [] : [[name, variable, command]])),
  );
  expect(given).toEqual(
    expect.arrayContaining([
      ['docs/documents.md', 'T', expect.stringMatching(/^api -i "\$D\/1" \| /)],
      ['docs/scaling.md', 'OPENSEARCH_URL', 'node scripts/opensearch-dev.mjs start 3'],
    ]),
  );
});

/** Of a page with these lines alone. */
const linesOf = (...lines: string[]) => documentedLines(`\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
const refused = 'curl -s "$URL/api/collections/no-such" -H "X-API-Key: $KEY"';

describe.skipIf(!hasTools)('a line that is wrong is told', () => {
  test.each([refused, `N=$(${refused})`, `export N=$(${refused} | cat)`, `export A=1 N="$(${refused})"`])(
    'refused: %s',
    async (text) => {
      const [line] = linesOf(text);
      await expect(line && run(line)).rejects.toMatchObject({ stdout: expect.stringContaining('NOT_FOUND') });
    },
  );

  test.each(['export N=$(no-such-program)', 'export N=$(true)', "N=$(echo x | sed -n 's/(y)//p')"])(
    'nothing to give: %s',
    async (text) => {
      const [line] = linesOf(text);
      await expect(line && run(line)).rejects.toThrow();
    },
  );

  test('and of one that is right the lines below have the value', async () => {
    const variables = new Map<string, string>();
    const outputs: string[] = [];
    for (const line of linesOf('F=films', 'export N="$(echo "$F")"', 'echo "$N, $F"', 'F=none'))
      outputs.push(await run(line, variables));
    expect(outputs).toEqual(['films\n', 'films, films\n']);
  });
});

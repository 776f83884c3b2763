import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, requestCode } from '#client/lib/request-code.ts';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { contentsFile, entriesOf, readContents } from '#shared/articles/contents.ts';
import { fillSample } from '#shared/articles/sample-request.ts';
import { readArticle } from '../../../scripts/articles/read-article.ts';
import { call, createCollection, createKey, createProject, must, signUp } from './callers.ts';
import { demoFilms } from './demo-films.ts';
import { type Kit, startKit } from './kit.ts';

/**
 * Every sample of the documentation is run in each of its three languages as the console shows it, with a reader's own host, key and
 * collection filled in; what is written in JavaScript or Python alone is run as it stands.
 */

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const entries = entriesOf(readContents(read(contentsFile)));
const articles = entries.map((entry) => readArticle(read(entry.file), entry, entries));

/** What a sample came to. */
interface Outcome {
  /** What it printed. */
  text: string;
  /** Why it failed; null: it did not. */
  fault: string | null;
}

const strictCurl = 'curl() { command curl --fail-with-body "$@"; }';
/** Each runs a list of samples from its standard input, in their order: to start a program for each took ten times as long. */
const runners: Record<Language, [program: string, ...args: string[]]> = {
  curl: [
    'node',
    '-e',
    `const { spawnSync } = require('node:child_process');
    const outcomes = JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map((code) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', ${JSON.stringify(strictCurl)} + '\\n' + code], { encoding: 'utf8' });
      return { text: stdout, fault: status === 0 ? null : stdout + stderr };
    });
    console.log(JSON.stringify(outcomes));`,
  ],
  fetch: [
    'node',
    '--input-type=module',
    '-e',
    `import { readFileSync } from 'node:fs';
    const outcomes = [];
    const print = console.log;
    for (const code of JSON.parse(readFileSync(0, 'utf8'))) {
      const lines = [];
      console.log = (...words) => lines.push(words.join(' '));
      const fault = await import('data:text/javascript,' + encodeURIComponent(code) + '#' + outcomes.length).then(() => null, String);
      outcomes.push({ text: lines.join('\\n'), fault });
    }
    print(JSON.stringify(outcomes));`,
  ],
  python: [
    'python3',
    '-c',
    `import contextlib, io, json, sys, traceback
outcomes = []
for code in json.load(sys.stdin):
    out, fault = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "__main__"})
    except Exception:
        fault = traceback.format_exc()
    outcomes.append({"text": out.getvalue(), "fault": fault})
print(json.dumps(outcomes))`,
  ],
};
const isThere = (language: Language) => spawnSync(runners[language][0], ['--version']).status === 0;
/** Needs escaping in an address, and in no language's texts. */
const ownName = 'my films & more';
const execute = promisify(execFile);

let kit: Kit;
let server: RunningServer;
/** A key of a project of its own for each language: samples write, too. */
const keys: Record<Language, string> = { curl: '', fetch: '', python: '' };

beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  const owner = await signUp(kit);
  for (const language of Object.keys(keys) as Language[]) {
    const { id: projectId } = await createProject(kit, owner, language);
    const { id } = await createCollection(kit, owner, { projectId, name: ownName });
    const { key } = await createKey(kit, owner, { projectId });
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = demoFilms({ oneOf: 60 });
    await must(
      call(kit, {
        method: 'POST',
        path: `/api/collections/${id}/documents/import`,
        body,
        headers,
        as: { key },
      }),
    );
    await must(
      call(kit, { method: 'PUT', path: '/api/aliases/films', body: { collection: ownName }, as: { key } }),
    );
    keys[language] = key;
  }
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

/** One outcome for each code. */
async function run(language: Language, codes: string[]): Promise<Outcome[]> {
  const [program, ...args] = runners[language];
  const env = { ...process.env, URL: server.url, KEY: keys[language] };
  const child = execute(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
  child.child.stdin?.end(JSON.stringify(codes));
  return JSON.parse((await child).stdout);
}

interface Sample {
  name: string;
  code(own: { origin: string; key: string; collection: string }): string;
}

/** What a reader has to fill in themselves is shown as `…`. */
const isComplete = (text: string) => !text.includes('…');
const written: Record<string, Language> = { js: 'fetch', python: 'python' };

function samplesIn(language: Language): Sample[] {
  return articles.flatMap(({ slug, blocks }) =>
    blocks.flatMap((block): Sample[] => {
      if (block.kind === 'sample' && isComplete(JSON.stringify(block.request))) {
        const { request } = block;
        const name = `${slug}: ${request.method} ${request.path}`;
        return [{ name, code: (own) => requestCode(language, fillSample(request, own)) }];
      }
      if (block.kind !== 'code' || written[block.language] !== language) return [];
      return [{ name: `${slug}: ${block.code.slice(0, 40)}`, code: () => block.code }];
    }),
  );
}

describe.each(['curl', 'fetch', 'python'] as const)('%s', (language) => {
  const samples = samplesIn(language);
  let outcomes: Outcome[] = [];
  beforeAll(async () => {
    const own = { origin: server.url, key: keys[language], collection: ownName };
    if (isThere(language))
      outcomes = await run(
        language,
        samples.map(({ code }) => code(own)),
      );
  });

  test.skipIf(!isThere(language)).each(samples.map((sample, at) => ({ ...sample, at })))(
    '$name',
    ({ at }) => {
      const outcome = outcomes[at];
      expect(outcome?.fault).toBeNull();
      expect(outcome?.text.trim()).not.toBe('');
      expect(outcome?.text).not.toMatch(/"found": ?0\b|"failed": ?[1-9]|"answered": ?false/);
    },
  );

  test.skipIf(!isThere(language))('a fault of one is noticed', async () => {
    const request = { method: 'GET' as const, path: '/api/collections/no-such', headers: {} };
    const own = { origin: server.url, key: keys[language], collection: null };
    const [outcome] = await run(language, [requestCode(language, fillSample(request, own))]);
    expect(outcome?.fault).toMatch(/404/);
  });
});

test('there are samples, and some that are written in one language alone', () => {
  expect(samplesIn('curl').length).toBeGreaterThan(45);
  expect(samplesIn('fetch').length).toBe(samplesIn('curl').length + 3);
  expect(samplesIn('python').length).toBe(samplesIn('curl').length + 3);
});

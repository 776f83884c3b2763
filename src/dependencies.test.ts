import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

interface Locked {
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
}

const { packages }: { packages: Record<string, Locked> } = readJson('package-lock.json');
/** Of those that an operator adds to run a model of his own. */
const optional: { packages: Record<string, Locked> } = readJson('optional/onnx/package-lock.json');
/** From a registry; the roots and the folder of our own that is linked are not. */
const foreign = [...Object.entries(packages), ...Object.entries(optional.packages)].filter(([place]) =>
  place.startsWith('node_modules/'),
);

const licences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
];

function isAllowed(licence: string): boolean {
  const offered = licence.replaceAll(/[()]/g, '').split(' OR ');
  return offered.some((one) => one.split(' AND ').every((each) => licences.includes(each)));
}

test('every version is pinned exactly', () => {
  const { dependencies, devDependencies, optionalDependencies } = readJson('package.json');
  const asked = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const loose = asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([['@tabler/icons', 'file:scripts/tabler-icons']]);
  for (const [name, version] of asked) {
    if (!version.startsWith('file:')) expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
  const added: [string, string][] = Object.entries(readJson('optional/onnx/package.json').dependencies);
  expect(added.length).toBeGreaterThan(0);
  for (const [name, version] of added)
    expect(optional.packages[`node_modules/${name}`]?.version, name).toBe(version);
});

test('every package is known by its contents, and none is fetched from anywhere but the registry', () => {
  const odd = foreign.filter(
    ([, one]) => !one.link && (!one.integrity?.startsWith('sha512-') || one.resolved),
  );
  expect(odd).toEqual([]);
  expect(foreign.length).toBeGreaterThan(200);
});

test('every licence is known and allowed', () => {
  const odd = foreign.filter(([, one]) => !one.link && !isAllowed(one.license ?? ''));
  expect(odd.map(([place, { license }]) => `${place}: ${license}`)).toEqual([]);
  expect(isAllowed('GPL-3.0')).toBe(false);
  expect(isAllowed('MIT AND GPL-3.0')).toBe(false);
  expect(isAllowed('')).toBe(false);
});

/** `npm run audit` against a registry that answers this. */
async function auditAgainst(status: number, body: unknown): Promise<{ code: number; said: string }> {
  const registry = createServer((request, response) => {
    request.resume();
    const name = decodeURIComponent(request.url ?? '').slice(1);
    const version = packages[`node_modules/${name}`]?.version ?? '0.0.0';
    const described = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? described : body));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = registry.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: '0',
  };
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { cwd: root, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  registry.close();
  return { code, said };
}

test('the audit tells what the registry knows, and that it knows nothing', async () => {
  const advisory = {
    id: 1,
    url: 'https://example.com/advisory',
    title: 'Lets anybody in',
    severity: 'high',
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 8, vectorString: null },
  };
  const bad = await auditAgainst(200, { hono: [advisory] });
  expect(bad.code, bad.said).toBe(1);
  expect(bad.said).toContain('high: hono');
  expect(bad.said).toContain('Lets anybody in');
  const good = await auditAgainst(200, {});
  expect(good.code, good.said).toBe(0);
});

test.each([404, 405, 501])(
  'a registry that answers %i to the question tells nothing: the audit says so',
  async (status) => {
    const silent = await auditAgainst(status, { error: 'no such endpoint' });
    expect(silent.code, silent.said).toBe(3);
    expect(silent.said).toContain('nothing is known');
    expect(silent.said).toContain(`${status} `);
  },
);

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administer, type FreshDatabase, freshDatabase } from './databases.ts';
import { type ServerProcess, startServer } from './kill/server-process.ts';

/** The built server by the command of the image: it has no debug mode, whatever the environment says, and tells nobody of its inside. */
const environments = ['', 'development'];

/** As a stack, also in JSON, a statement or a file of the server has it. */
const inside = /(\n|\\n)\s+at |\.[jt]s:\d|node_modules|dist\/server|\bstack\b|select |42P01|relation "/i;

describe.each(environments)('with NODE_ENV=%j', (mode) => {
  let database: FreshDatabase;
  let server: ServerProcess;
  let cookie: string;

  beforeAll(async () => {
    database = await freshDatabase('bundled');
    const { dataDir, databaseUrl } = database.settings;
    const prefix = ['sh', '-c', `exec '${process.execPath}' scripts/start.mjs`];
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', NODE_ENV: mode };
    server = await startServer(env, { prefix });
    const password = 'correct horse battery staple';
    const account = { email: 'a@example.com', username: 'a', password, confirmPassword: password };
    const signedUp = await send('POST', '/api/auth/register', { body: JSON.stringify(account) });
    expect(signedUp.status).toBe(201);
    cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    // From now on what reads workspaces fails.
    await administer(databaseUrl ?? '', (sql) => sql`alter table workspaces rename to gone`);
  });
  afterAll(async () => {
    await server.stop();
    await database.cleanup();
  });

  const send = (method: string, target: string, more: { body?: string; cookie?: string } = {}) =>
    fetch(`${server.url}${target}`, {
      method,
      headers: {
        origin: server.url,
        'content-type': 'application/json',
        ...(more.cookie && { cookie: more.cookie }),
      },
      ...(more.body !== undefined && { body: more.body }),
    });

  test('no error tells a stack, a statement or a file, neither one of the caller nor one of the server', async () => {
    const asked: [status: number, method: string, target: string, body?: string][] = [
      [500, 'GET', '/api/workspaces'],
      [500, 'GET', '/trpc/workspaces.list?input=%7B%7D'],
      [400, 'POST', '/api/workspaces', '{"name":'],
      [400, 'POST', '/trpc/workspaces.create', '{"name":'],
      [400, 'POST', '/api/workspaces', '{"name":7}'],
      [404, 'GET', '/trpc/no.such'],
      [404, 'GET', '/api/no/such'],
      [405, 'PATCH', '/api/workspaces'],
    ];
    for (const [status, method, target, body] of asked) {
      const answer = await send(method, target, { cookie, ...(body !== undefined && { body }) });
      const text = await answer.text();
      const about = `${method} ${target}: ${text.slice(0, 500)}`;
      expect(answer.status, about).toBe(status);
      expect(text, about).not.toMatch(inside);
      expect([answer.headers.get('server'), answer.headers.get('x-powered-by')], about).toEqual([null, null]);
    }
  });

  test.each([
    '/assets/index.js.map',
    '/dist/server/main.js.map',
    '/server/main.js',
    '/src/client/main.tsx',
    '/@vite/client',
    '/@fs/etc/passwd',
    '/__vite_ping',
    '/__open-in-editor?file=x',
    '/debug',
    '/debug/pprof/',
    '/json/list',
    '/json/version',
    '/metrics',
    '/trpc-panel',
    '/api/debug',
  ])('%s is the page or nothing', async (target) => {
    const answer = await send('GET', target);
    const text = await answer.text();
    if (answer.status !== 404) expect(text).toContain('<div id="root">');
    expect(text).not.toMatch(/webSocketDebuggerUrl|"mappings"|root:x:|vectora_requests/);
  });

  test('it listens on its own port alone: no debugger waits on another', () => {
    if (process.platform === 'linux') expect(listeningPorts(server.pid)).toEqual([portOf(server.url)]);
  });
});

const portOf = (url: string) => Number(new URL(url).port);

/** The TCP ports on which a process takes connections. */
function listeningPorts(pid: number): number[] {
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => socketOf(`/proc/${pid}/fd/${fd}`)));
  const lines = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n'),
  );
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === '0A' && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

function socketOf(link: string): string[] {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.slice(1) ?? [];
  } catch {
    // Closed meanwhile.
    return [];
  }
}

test('the console is React’s production half, without source maps', () => {
  const folder = path.resolve('dist/client');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const scripts = files.filter((file) => file.endsWith('.js'));
  const texts = scripts.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  expect(scripts.filter((_, i) => /sourceMappingURL|jsxDEV\(/.test(texts[i] ?? ''))).toEqual([]);
  // What its errors are called where the other half has sentences.
  expect(texts.some((text) => text.includes('https://react.dev/errors/'))).toBe(true);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createProject, createTenant, origin, type SignedUp, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

const token = 'a token for tests, long enough to be one';

test('without METRICS_TOKEN nobody is told anything, whatever is sent', async () => {
  const kit = await startKit();
  for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer null' }]) {
    const answer = await kit.app.request('/metrics', { headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
  }
  await kit.close();
});

describe('with METRICS_TOKEN', () => {
  let kit: Kit;
  let owner: SignedUp;
  let key: string;
  beforeAll(async () => {
    kit = await startKit({ settings: { metricsToken: token } });
    const tenant = await createTenant(kit, { name: 'secret-name' });
    owner = tenant.owner;
    key = tenant.key.key;
  });
  afterAll(() => kit.close());

  const read = async () => {
    const answer = await kit.app.request('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return await answer.text();
  };
  /** The value of one line; 0: there is none. */
  const figureOf = (text: string, line: string) => {
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return found === undefined ? 0 : Number(found.slice(line.length + 1));
  };

  test.each([
    ['nothing', {}],
    ['another token', { authorization: `Bearer ${token}x` }],
    ['the beginning of the token', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['the token as something else', { authorization: token }],
  ])('who sends %s is refused', async (_, headers) => {
    const answer = await kit.app.request('/metrics', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('requests are counted by operation and status, and how long they took', async () => {
    const search = 'vectora_requests_total{operation="search.keyword",status="200"}';
    const before = await read();
    const path = '/api/collections/secret-name/search?query=x';
    await call(kit, { method: 'GET', path, as: { key } });
    await call(kit, { method: 'GET', path, as: { key } });
    await call(kit, { method: 'GET', path: `${path}&page=x`, as: { key } });
    const after = await read();
    expect(figureOf(after, search) - figureOf(before, search)).toBe(2);
    expect(figureOf(after, search.replace('200', '400'))).toBe(1);
    expect(figureOf(after, 'vectora_request_duration_seconds_count{operation="search.keyword"}')).toBe(3);
    const within = (bound: string) =>
      figureOf(after, `vectora_request_duration_seconds_bucket{le="${bound}",operation="search.keyword"}`);
    expect(within('+Inf')).toBe(3);
    expect(within('0.001')).toBeLessThanOrEqual(within('60'));
  });

  test('calls of the console are counted by procedure; what there is not is one name', async () => {
    const cookie = owner.as.cookie;
    const ask = (path: string) =>
      kit.app.request(`${origin}${path}`, { headers: { cookie, host: 'localhost' } });
    await ask('/trpc/auth.me');
    await ask('/trpc/auth.me,workspaces.list?batch=1');
    await ask('/trpc/no.such');
    for (const name of ['a', 'b', 'c']) await ask(`/api/${name}`);
    for (const name of ['d', 'e']) await ask(`/${name}`);
    const text = await read();
    expect(figureOf(text, 'vectora_requests_total{operation="trpc auth.me",status="200"}')).toBe(1);
    expect(figureOf(text, 'vectora_requests_total{operation="unknown",status="404"}')).toBe(3);
    expect(figureOf(text, 'vectora_requests_total{operation="console",status="404"}')).toBe(2);
    const operations = new Set([...text.matchAll(/operation="([^"]*)"/g)].map(([, name]) => name));
    expect([...operations].filter((name) => /no\.such|\/[a-e]$/.test(name ?? ''))).toEqual([]);
  });

  test.each([
    'vectora_requests_under_way{way="reads"}',
    'vectora_requests_at_work{way="streams"}',
    'vectora_waiting{for="engine"}',
    'vectora_waiting{for="embedding"}',
    'vectora_waiting{for="database"}',
    'vectora_held_bytes{of="bodies"}',
    'vectora_held_bytes{of="answers"}',
    'vectora_held_limit_bytes{of="indexes"}',
    'vectora_imports_under_way',
    'vectora_database_connections_in_use',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])('%s is told', async (line) => {
    expect((await read()).split('\n').filter((each) => each.startsWith(`${line} `))).toHaveLength(1);
  });

  test('the memory of an index that is open is told', async () => {
    await call(kit, {
      method: 'POST',
      path: '/api/collections/secret-name/documents',
      body: { title: 'Metropolis' },
      as: { key },
    });
    const text = await read();
    expect(figureOf(text, 'vectora_indexes_open')).toBe(1);
    expect(figureOf(text, 'vectora_held_bytes{of="indexes"}')).toBe(kit.deps.indexes.stats().memoryBytes);
  });

  test('names are as Prometheus wants them, and each has its help and type', async () => {
    const lines = (await read()).split('\n');
    const types = new Map(
      lines.flatMap((line) => {
        const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
        return name.startsWith('vectora_') ? [[name, type] as const] : [];
      }),
    );
    expect(types.size).toBeGreaterThan(8);
    for (const [name, type] of types) {
      expect(
        lines.some((line) => line.startsWith(`# HELP ${name} `)),
        name,
      ).toBe(true);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, name).not.toMatch(/milli|kilo|_ms|_kb|_mb/i);
    }
  });

  test('nothing that is somebody’s is in it', async () => {
    const stranger = await signUp(kit, 'private-person');
    await createProject(kit, stranger, 'private-project');
    const text = await read();
    for (const name of ['secret-name', 'private-person', 'private-project', key])
      expect(text).not.toContain(name);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Credentials,
  call,
  createCollection,
  createTenant,
  type SignedUp,
} from '#server/testing/callers.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Import, ImportSummary } from '#shared/documents.ts';
import type { SearchAnswer } from '#shared/search.ts';

/** Tables, dry runs, keys of imports and their progress, over REST. */
let kit: Kit;
let owner: SignedUp;
let projectId: number;
let as: Credentials;
beforeAll(async () => {
  kit = await startKit();
  const tenant = await createTenant(kit);
  owner = tenant.owner;
  projectId = tenant.project.id;
  as = { key: tenant.key.key };
});
afterAll(async () => {
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await kit.close();
});

let collections = 0;
/** The path of a new collection's documents. */
async function newDocuments(given: { metadata?: unknown } = {}): Promise<string> {
  const name = `c${++collections}`;
  await createCollection(kit, owner, { projectId, name, dimension: 8, ...given });
  return `/api/collections/${name}/documents`;
}

/** Where they are listed. */
const importsOf = (documents: string) => `${documents}/import`;

type Headers = Record<string, string>;
const csv: Headers = { 'content-type': 'text/csv' };
const ndjson: Headers = { 'content-type': 'application/x-ndjson' };
const upload = (documents: string, body: unknown, headers: Headers = {}, query = '') =>
  call<ImportSummary>(kit, { method: 'POST', path: `${documents}/import${query}`, body, as, headers });
const get = <T>(path: string) => call<T>(kit, { method: 'GET', path, as });
const exported = async (documents: string) => {
  const { body } = await get<string>(`${documents}/export`);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line): Record<string, unknown> & { id: string } => JSON.parse(line));
};
const parameter = (value: unknown) => encodeURIComponent(JSON.stringify(value));

describe('a table', () => {
  test('becomes documents: fields of the declared types, or of those that columns look like', async () => {
    const fields = [
      { name: 'code', type: 'string', required: true },
      { name: 'released', type: 'date' },
      { name: 'size', type: 'number' },
    ];
    const documents = await newDocuments({ metadata: { fields } });
    const table = [
      'id,Title,code,released,size,year,color,embedding',
      '007,"Solaris, a ""film""",42,1972-03-20,1.5,1972,true,"[1,0,0,0,0,0,0,0]"',
      '2,Stalker,43,1700000000,,1979,,',
      '3,Mirror,,1975,large,1975,false,',
      '4,Nostalghia,44,soon,3,1983,false,[1',
    ].join('\r\n');
    const answer = await upload(
      documents,
      table,
      csv,
      `?mapping=${parameter({ Title: 'title', color: null })}`,
    );
    expect(answer).toMatchObject({
      status: 207,
      body: {
        succeeded: 2,
        failed: 2,
        results: [
          { index: 0, line: 2, id: '007', success: true },
          { index: 1, line: 3, id: '2', success: true },
          { index: 2, line: 4, id: '3', success: false, code: 'BAD_REQUEST', error: 'code: is required' },
          {
            index: 3,
            line: 5,
            success: false,
            code: 'BAD_REQUEST',
            error: expect.stringContaining('embedding'),
          },
        ],
      },
    });
    expect(await exported(documents)).toEqual([
      { id: '007', title: 'Solaris, a "film"', code: '42', released: '1972-03-20', size: 1.5, year: 1972 },
      { id: '2', title: 'Stalker', code: '43', released: 1_700_000_000, year: 1979 },
    ]);
    const found = await get<SearchAnswer>(
      `${documents.replace('documents', 'search')}?query=solaris&filter_by=year:<1975`,
    );
    expect(found.body.found).toBe(1);
  });

  test('may be TSV, have a delimiter of its own, and come in UTF-16', async () => {
    const documents = await newDocuments();
    const tsv = { 'content-type': 'text/tab-separated-values; charset=utf-8' };
    await upload(documents, 'id\ttitle\n1\ta,b;c\n', tsv);
    await upload(documents, 'id^title\n2^a,b;c\n', csv, '?delimiter=%5E');
    const response = await kit.app.request(`http://localhost${documents}/import`, {
      method: 'POST',
      headers: {
        host: 'localhost',
        'x-api-key': 'key' in (as ?? {}) ? (as as { key: string }).key : '',
        ...csv,
      },
      body: new Uint8Array(Buffer.from('\ufeffid;title\n3;a,b;\n'.replace('b;', 'b'), 'utf16le')),
    });
    expect(response.status).toBe(200);
    expect((await exported(documents)).map(({ title }) => title)).toEqual(['a,b;c', 'a,b;c', 'a,b']);
  });

  test.each([
    ['?delimiter=%22', csv, 'delimiter'],
    ['?delimiter=ab', csv, 'delimiter'],
    ['?delimiter=%0A', csv, 'delimiter'],
    ['?mapping=title', csv, 'mapping'],
    [`?mapping=${parameter({ a: 1 })}`, csv, 'mapping'],
    ['?delimiter=;', ndjson, 'delimiter'],
    ['?dry_run=perhaps', csv, 'dry_run'],
  ])('%s is a 400 that names it', async (query, headers, field) => {
    const answer = await upload(await newDocuments(), 'id\n1\n', headers, query);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } });
  });

  test('in an unknown charset is a 415', async () => {
    const headers = { 'content-type': 'text/csv; charset=klingon' };
    expect((await upload(await newDocuments(), 'id\n1\n', headers)).status).toBe(415);
  });
});

describe('faults', () => {
  const patternOf = (text = '') => text.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, 'N');

  test('are told by their causes: seven planted ones among 10,000 rows', async () => {
    const fields = [{ name: 'price', type: 'number', required: false }];
    const documents = await newDocuments({ metadata: { fields } });
    const planted: Record<number, (i: number) => string> = {
      3: (i) => `{"id":"${i}","price":"${i} Euro"}`,
      5: (i) => `{"id":"${i}",`,
      7: () => '{"id":""}',
      11: (i) => `{"id":"${i}","embedding":[${i}]}`,
      13: (i) => `[${i}]`,
      17: (i) => `{"id":"${i}","t":"\\u0000"}`,
      19: (i) => `{"id":"${i}","embedding":[0,0,0,0,0,0,0,0]}`,
    };
    const divisors = Object.keys(planted).map(Number);
    const counts = new Map(divisors.map((divisor) => [divisor, 0]));
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      const divisor = i === 0 ? undefined : divisors.find((one) => i % (one * 10) === 0);
      if (divisor === undefined) return `{"id":"d${i}","price":${i}}`;
      counts.set(divisor, (counts.get(divisor) ?? 0) + 1);
      return planted[divisor]?.(i) ?? '';
    });
    const before = await dumpRecord(kit.deps.record);
    const { status, body } = await upload(documents, rows.join('\n'), ndjson, '?dry_run=true');
    expect([status, body.dry_run]).toEqual([207, true]);
    expect(body.faults).toHaveLength(7);
    expect(body.faults.map(({ count }) => count)).toEqual([...counts.values()].sort((a, b) => b - a));
    for (const { rows: first, message, code } of body.faults) {
      expect(first).toHaveLength(10);
      for (const index of first) expect(body.results[index]).toMatchObject({ index, code, success: false });
      const words = new Set(
        body.results
          .filter((row) => !row.success && patternOf(row.error) === patternOf(message))
          .map((row) => row.error),
      );
      expect(message).toBe(words.size === 1 ? [...words][0] : patternOf(message));
    }
    expect(withoutCounts(await dumpRecord(kit.deps.record))).toBe(withoutCounts(before));
    const real = await upload(documents, rows.join('\n'), ndjson);
    const { dry_run: _, ...told } = body;
    expect(real).toMatchObject({ status: 207, body: told });
  });
});

describe('an import', () => {
  test('says which it is, and how far it is and was', async () => {
    const documents = await newDocuments();
    const { headers } = await upload(documents, '{"id":"1"}\n{"id":""}\n', ndjson);
    const id = Number(headers.get('x-import-id'));
    const { body } = await get<Import>(`${documents}/import/${id}`);
    expect(body).toEqual({
      id,
      state: 'done',
      action: 'upsert',
      idempotencyKey: null,
      rows: 2,
      succeeded: 1,
      failed: 1,
      error: null,
      startedAt: expect.any(String),
      updatedAt: expect.any(String),
      endedAt: expect.any(String),
    });
    await upload(documents, '{"id":"2"}', { ...ndjson, 'idempotency-key': 'second' });
    const listed = await get<Import[]>(importsOf(documents));
    expect(listed.headers.get('x-total-count')).toBe('2');
    expect(listed.body.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['second', null]);
    const one = await get<Import[]>(`${importsOf(documents)}?idempotency_key=second`);
    expect(one.body.map(({ rows }) => rows)).toEqual([1]);
    const other = await newDocuments();
    for (const path of [`${other}/import/${id}`, `${documents}/import/999999999`]) {
      expect((await get(path)).status).toBe(404);
      expect((await call(kit, { method: 'DELETE', path, as })).status).toBe(404);
    }
    expect((await get<Import>(`${documents}/import/${id}`)).body.state).toBe('done');
  });

  test('can be asked for by its key while it is under way, and stopped: what is in stays in', async () => {
    const documents = await newDocuments();
    const { sender, answer } = slowUpload(documents, { 'idempotency-key': 'stopped' });
    sender.send(rowsText(0, 300));
    const running = async () =>
      (await get<Import[]>(`${importsOf(documents)}?idempotency_key=stopped`)).body[0];
    await expect.poll(async () => (await running())?.rows).toBeGreaterThanOrEqual(256);
    const seen = await running();
    expect(seen).toMatchObject({ state: 'running', failed: 0, endedAt: null });
    const path = `${documents}/import/${seen?.id}`;
    const stopped = await call<Import>(kit, { method: 'DELETE', path, as });
    expect(stopped).toMatchObject({
      status: 200,
      body: { state: 'canceled', error: 'This import was canceled' },
    });
    const response = await answer;
    expect([response.status, response.headers.get('x-import-id')]).toEqual([409, String(seen?.id)]);
    expect((await exported(documents)).length).toBe(stopped.body.rows);
    // It does not go on, and once is enough.
    const again = await upload(documents, rowsText(0, 300), { ...ndjson, 'idempotency-key': 'stopped' });
    expect(again.status).toBe(409);
    expect((await call<Import>(kit, { method: 'DELETE', path, as })).body.state).toBe('canceled');
  });

  test('without a key is told under way, too', async () => {
    const documents = await newDocuments();
    const { sender, answer } = slowUpload(documents, {});
    sender.send(rowsText(0, 300));
    const seen = async () => (await get<Import[]>(importsOf(documents))).body[0];
    await expect.poll(seen).toMatchObject({ state: 'running', idempotencyKey: null });
    const path = `${documents}/import/${(await seen())?.id}`;
    expect((await call<Import>(kit, { method: 'DELETE', path, as })).body.state).toBe('canceled');
    expect((await answer).status).toBe(409);
  });
});

describe('an import with a key', () => {
  const keyed = (key: string): Headers => ({ ...ndjson, 'idempotency-key': key });

  test('sent again adds nothing and answers the same, generated ids and all', async () => {
    const documents = await newDocuments();
    const rows = ['{"title":"no id"}', '{"id":"1"}', '{"id":"', '{"title":"nor here"}'].join('\n');
    const first = await upload(documents, rows, keyed('again'));
    expect(first.body).toMatchObject({ succeeded: 3, failed: 1 });
    const stored = await exported(documents);
    const second = await upload(documents, rows, keyed('again'));
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('x-import-id')).toBe(first.headers.get('x-import-id'));
    expect(await exported(documents)).toEqual(stored);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(3);
    // Another key is another import.
    await upload(documents, rows, keyed('other'));
    expect(await exported(documents)).toHaveLength(5);
  });

  test('does not undo what was changed since, and remembers what failed for what was there', async () => {
    const documents = await newDocuments();
    await upload(documents, '{"id":"there"}', ndjson);
    const rows = ['{"id":"new","n":1}', '{"id":"there"}', '{"id":"new"}'].join('\n');
    const first = await upload(documents, rows, keyed('create'), '?action=create');
    expect(first.body.results.map(({ success, code }) => (success ? 'in' : code))).toEqual([
      'in',
      'CONFLICT',
      'CONFLICT',
    ]);
    await call(kit, { method: 'PATCH', path: `${documents}/new`, body: { n: 2 }, as });
    await call(kit, { method: 'DELETE', path: `${documents}/there`, as });
    const second = await upload(documents, rows, keyed('create'), '?action=create');
    expect(second.body).toEqual(first.body);
    expect(await exported(documents)).toEqual([{ id: 'new', n: 2 }]);
  });

  test('with other rows, fewer, more, or other parameters is a 409, and changes nothing', async () => {
    const documents = await newDocuments();
    await upload(documents, rowsText(0, 200), keyed('body'));
    const stored = await exported(documents);
    for (const [rows, query] of [
      [rowsText(1, 200), ''],
      [rowsText(0, 199), ''],
      [rowsText(0, 201), ''],
      [rowsText(0, 199) + rowsText(300, 1), ''],
      ['', ''],
      [rowsText(0, 200), '?action=emplace'],
    ] as const) {
      const answer = await upload(documents, rows, keyed('body'), query);
      expect(answer, `${rows.length} ${query}`).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }
    expect(await exported(documents)).toEqual(stored);
    expect((await upload(documents, rowsText(0, 200), keyed('body'))).status).toBe(200);
  });

  test('while the same is under way is a 409; once its caller has gone it goes on', async () => {
    const documents = await newDocuments();
    const { sender, answer, hangUp } = slowUpload(documents, { 'idempotency-key': 'twice' });
    sender.send(rowsText(0, 200));
    const rows = async () =>
      (await get<Import[]>(`${importsOf(documents)}?idempotency_key=twice`)).body[0]?.rows ?? 0;
    await expect.poll(rows).toBeGreaterThanOrEqual(128);
    expect((await upload(documents, rowsText(0, 300), keyed('twice'))).status).toBe(409);
    hangUp();
    await answer.catch(() => undefined);
    await expect
      .poll(async () => (await upload(documents, rowsText(0, 300), keyed('twice'))).status)
      .toBe(200);
    expect(await exported(documents)).toHaveLength(300);
  });

  test.each(['a key with spaces', 'k'.repeat(256), 'ümlaut'])('that is %s is a 400', async (key) => {
    const answer = await upload(
      await newDocuments(),
      '{"id":"1"}',
      keyed(Buffer.from(key).toString('latin1')),
    );
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'idempotency_key' }] } });
  });

  test.each([
    ['failed', 'create trigger refuse before insert on documents'],
    [
      'could not be committed',
      'create constraint trigger refuse after insert on documents deferrable initially deferred',
    ],
  ])('stops behind a batch that %s, and goes on there when it is sent again', async (_, trigger) => {
    const documents = await newDocuments();
    const { sql } = kit.deps.record;
    await sql.unsafe(`create or replace function refuse_d300() returns trigger language plpgsql as $$ begin
      if new.id = 'd300' then raise 'not today'; end if; return new; end $$`);
    await sql.unsafe(`${trigger} for each row execute function refuse_d300()`);
    const first = await upload(documents, rowsText(0, 1_000), keyed('resumed'));
    kit.logLines.length = 0;
    await sql.unsafe('drop trigger refuse on documents');
    expect(first).toMatchObject({ status: 207, body: { succeeded: 256, failed: 744 } });
    const path = `${documents}/import/${first.headers.get('x-import-id')}`;
    expect((await get<Import>(path)).body).toMatchObject({ state: 'interrupted', rows: 256, succeeded: 256 });
    const second = await upload(documents, rowsText(0, 1_000), keyed('resumed'));
    expect(second).toMatchObject({ status: 200, body: { succeeded: 1_000 } });
    expect((await get<Import>(path)).body).toMatchObject({ state: 'done', rows: 1_000, error: null });
    expect(await exported(documents)).toHaveLength(1_000);
  });
});

/** Rows with ids that follow on each other. */
function rowsText(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `{"id":"d${from + i}"}\n`).join('');
}

/** An upload that goes on until its sender ends it or hangs up. */
function slowUpload(documents: string, headers: Headers) {
  const caller = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const key = as && 'key' in as ? as.key : '';
  const init = {
    method: 'POST',
    headers: { host: 'localhost', 'x-api-key': key, ...ndjson, ...headers },
    body,
    duplex: 'half',
    signal: caller.signal,
  };
  const answer = Promise.resolve(kit.app.request(`http://localhost${documents}/import`, init as RequestInit));
  answer.catch(() => undefined);
  const sender = { send: (text: string) => controller?.enqueue(new TextEncoder().encode(text)) };
  const hangUp = () => {
    caller.abort();
    controller?.error(new Error('gone'));
  };
  return { sender, answer, hangUp };
}

const counted =
  /^((usage|key)_counters|monthly_requests|request_series|host_series|audit_entries|api_keys|search_(days|queries|minutes)|requests):/;

/** All but what is counted aside, and what the test before left behind. */
function withoutCounts(dump: string): string {
  return dump
    .split('\n')
    .filter((line) => !counted.test(line))
    .join('\n');
}

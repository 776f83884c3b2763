import { expect, test } from 'vitest';
import type { AuditEntry } from '#shared/audit-entries.ts';
import { limits } from '#shared/limits.ts';
import { auditFile } from './audit-file.ts';
import { readAllEntries } from './read-all-entries.ts';

const entry = (id: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, id)).toISOString(),
  action: 'apiKeys.create',
  outcome: 'done',
  times: 1,
  actor: { kind: 'user', id: 7, name: 'ada' },
  workspaceId: 1,
  target: { kind: 'api_key', id: 3, name: 'Website' },
  before: null,
  after: { name: 'Website' },
  address: '192.0.2.1',
  userAgent: null,
  requestId: 'r',
  ...more,
});

/** As the server answers them, the newest first. */
function serve(entries: AuditEntry[]) {
  const sorted = entries.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id);
  return async ({ until, page, per_page }: { until?: string | undefined; page: number; per_page: number }) =>
    sorted
      .filter(({ createdAt }) => until === undefined || createdAt < until)
      .slice((page - 1) * per_page, page * per_page);
}

test.each([
  ['none', 0, 1],
  ['as many as a page has', limits.perPageMax, 1],
  ['many, of moments of their own', limits.perPageMax * 3 + 7, 1],
  ['many, some at a moment', limits.perPageMax * 3, 40],
  ['more of a moment than a page has', limits.perPageMax * 3, limits.perPageMax * 2],
])('%s are all read, each once', async (_, count, together) => {
  const at = (id: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(id / together)).toISOString();
  const entries = Array.from({ length: count }, (_one, id) => entry(id, { createdAt: at(id) }));
  const told: number[] = [];
  const list = serve(entries);
  const all = await readAllEntries({ list, chosen: { workspaceId: 1 }, onProgress: (n) => told.push(n) });
  expect(all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(entries.map(({ id }) => id));
  expect(told.at(-1)).toBe(count);
});

test('a CSV has a row each, and no cell is a formula', () => {
  const target = { kind: 'api_key', id: 3, name: '=HYPERLINK("http://x","y")' } as const;
  const { content } = auditFile([entry(1, { target, userAgent: 'two\nlines' })], 'csv');
  const [head, ...rest] = content.split('\r\n');
  expect(head).toBe(
    'id,createdAt,action,outcome,times,actorKind,actorId,actorName,targetKind,targetId,targetName,before,after,address,userAgent,requestId',
  );
  expect(rest.join('\r\n')).toBe(
    `1,2026-01-01T00:00:00.001Z,apiKeys.create,done,1,user,7,ada,api_key,3,"'=HYPERLINK(""http://x"",""y"")",,"{""name"":""Website""}",192.0.2.1,"two\nlines",r\r\n`,
  );
});

test('as JSON it is an entry a line', () => {
  const { content, name } = auditFile([entry(1), entry(2)], 'ndjson');
  expect(name).toBe('audit-log.ndjson');
  expect(
    content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([entry(1), entry(2)]);
});

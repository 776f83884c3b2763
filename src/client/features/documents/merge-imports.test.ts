// @vitest-environment node
import { expect, it } from 'vitest';
import type { ImportJob } from '#client/lib/imports/import-jobs.ts';
import type { ImportUnderWay } from '#shared/dashboard.ts';
import { mergeImports, uploadKey } from './merge-imports.ts';
import { RateMeter, secondsLeft, timeLeft } from './rate-meter.ts';

const job: ImportJob = {
  key: 'sample:films:',
  userId: 1,
  label: 'Films',
  collection: null,
  rowsTotal: 4_000,
  upload: null,
  rows: 0,
  failed: 0,
  startedAt: 0,
  state: 'running',
  message: null,
  query: 'robots',
};
const told: ImportUnderWay = {
  id: 7,
  state: 'running',
  action: 'upsert',
  idempotencyKey: 'sample:films:8e8336a9',
  rows: 500,
  succeeded: 499,
  failed: 1,
  error: null,
  startedAt: '2026-11-22T12:00:00.000Z',
  updatedAt: '2026-11-22T12:00:01.000Z',
  endedAt: null,
  collection: { id: 3, name: 'films' },
};

it('joins what this tab began with what the server tells of it', () => {
  expect(mergeImports([job], [told])).toMatchObject([
    { key: job.key, importId: 7, rows: 500, failed: 1, collection: { name: 'films' }, rowsTotal: 4_000 },
  ]);
  const done: ImportJob = { ...job, state: 'done', rows: 4_000 };
  expect(mergeImports([done], [told])).toMatchObject([{ state: 'done', rows: 4_000, importId: null }]);
});

it('shows what others began, by what its key says', () => {
  const key = uploadKey('Möbel 2026, alle: neu.csv'.repeat(9), crypto.randomUUID());
  expect(key).toMatch(/^[\x21-\x7e]{1,255}$/);
  const others: ImportUnderWay[] = [
    told,
    { ...told, id: 8, idempotencyKey: uploadKey('Möbel: neu.csv', 'x') },
    { ...told, id: 9, idempotencyKey: 'console:x:%zz' },
    { ...told, id: 10, idempotencyKey: null },
  ];
  expect(mergeImports([], others).map(({ label, rowsTotal }) => [label, rowsTotal])).toEqual([
    ['Films', 4_000],
    ['Möbel: neu.csv', null],
    ['%zz', null],
    ['films', null],
  ]);
});

it('tells the rate of the last seconds, and what is left', () => {
  const meter = new RateMeter();
  expect(meter.rate).toBeNull();
  for (let second = 0; second <= 30; second += 1)
    meter.note(second < 20 ? 0 : (second - 20) * 100, second * 1_000);
  expect(meter.rate).toBe(100);
  expect(secondsLeft(1_000, 1_500, meter.rate)).toBe(5);
  expect(secondsLeft(1_000, null, 100)).toBeNull();
  expect(secondsLeft(1_000, 1_500, 0)).toBeNull();
  expect([5, 180, 7_200].map(timeLeft)).toEqual(['5 s left', '3 min left', '2 h left']);
});

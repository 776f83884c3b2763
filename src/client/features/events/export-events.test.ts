import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { Request } from '#shared/requests.ts';
import { eventsCsv, eventsJson } from './export-events.ts';

const event: Request = {
  id: 1,
  requestId: 'r1',
  at: '2026-11-20T12:00:00.000Z',
  operation: 'search.keyword',
  type: 'search',
  way: 'api',
  key: { id: 1, name: 'shop, "live"' },
  collection: { id: 1, name: 'films' },
  status: 200,
  level: 'success',
  tookMs: 1.23456,
  found: 0,
  words: 'two\nlines',
  error: null,
  leftOut: 3,
};

it('the table has every event, whatever is in it, and as JSON the same', () => {
  const rows: unknown[] = parse(eventsCsv([event, event]), { columns: true });
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ key: 'shop, "live"', words: 'two\nlines', hits: '0', took_ms: '1.235' });
  expect(JSON.parse(eventsJson([event]))).toEqual([
    expect.objectContaining({
      key: 'shop, "live"',
      words: 'two\nlines',
      hits: 0,
      took_ms: 1.235,
      left_out_before: 3,
    }),
  ]);
});

it.each(['=1+1', '+1', '-1', '@a'])('a spreadsheet computes nothing of %s', (words) => {
  const [row]: { words?: string }[] = parse(eventsCsv([{ ...event, words }]), { columns: true });
  expect(row?.words).toBe(`'${words}`);
});

import { expect, test, vi } from 'vitest';
import { limits } from '#shared/limits.ts';
import { TableParser } from './table-parser.ts';

/** So many the parser itself finds. */
async function rowsIn(upload: Uint8Array): Promise<number> {
  const parser = new TableParser(',', limits.documentBytesMax);
  let rows = 0;
  for await (const _ of parser.push(upload)) rows += 1;
  for await (const _ of parser.end()) rows += 1;
  return rows;
}

test('is read piece by piece: a row comes out before what follows it is looked at', async () => {
  const parser = new TableParser(',', limits.documentBytesMax);
  const rows = parser.push(Buffer.from(`a,b\n${'x'.repeat(100_000)}`));
  expect((await rows.next()).value).toMatchObject({ line: 1, cells: ['a', 'b'] });
  expect(parser.openBytes).toBeLessThan(1_000);
  expect((await rows.next()).done).toBe(true);
  expect(parser.openBytes).toBe(100_000);
});

test('a cell that goes on behind its closing quote costs no more behind a large one', async () => {
  const rows = 200;
  const upload = Buffer.from(`a\n${'x'.repeat(1_000_000)}\n${'"a"b\n'.repeat(rows)}`);
  const allocated = vi.spyOn(Buffer, 'allocUnsafe');
  try {
    expect(await rowsIn(upload)).toBe(rows + 2);
    const bytes = allocated.mock.calls.reduce((sum, [size]) => sum + size, 0);
    // Room for the large cell is doubled until it fits; each row after it has little.
    expect(bytes).toBeLessThan(10 * upload.length);
  } finally {
    allocated.mockRestore();
  }
});

test('a row of another length than the first makes no error within the parser', async () => {
  const traced = vi.spyOn(Error, 'captureStackTrace');
  try {
    expect(await rowsIn(Buffer.from(`a\n${'b,c\n'.repeat(100)}`))).toBe(101);
    expect(traced).not.toHaveBeenCalled();
  } finally {
    traced.mockRestore();
  }
});

test('others have their turns while empty lines are read, of which no row comes', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  try {
    let turns = 0;
    const parser = new TableParser(',', limits.documentBytesMax, async () => {
      turns += 1;
    });
    for await (const _ of parser.push(Buffer.alloc(64 * 1024, '\n')));
    expect(turns).toBeGreaterThan(10);
  } finally {
    clock.mockRestore();
  }
});

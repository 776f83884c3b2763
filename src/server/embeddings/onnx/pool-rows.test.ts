import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Pooling, poolRows } from './pool-rows.ts';

/** By columns, as its definition reads. */
function plain(rows: number[][], pooling: Pooling): number[] {
  const [first = []] = rows;
  const pooled = first.map((_, i) => {
    const column = rows.map((row) => row[i] ?? 0);
    if (pooling === 'cls') return column[0] ?? 0;
    if (pooling === 'last') return column.at(-1) ?? 0;
    if (pooling === 'max') return Math.max(...column);
    const sum = column.reduce((total, x) => total + x, 0);
    return sum / (pooling === 'mean' ? column.length : Math.sqrt(column.length));
  });
  return pooled;
}

const table = fc.integer({ min: 1, max: 6 }).chain((dims) =>
  fc.array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: dims, maxLength: dims }), {
    minLength: 1,
    maxLength: 6,
  }),
);

test.each(['mean', 'mean_sqrt_len', 'cls', 'last', 'max'] as const)(
  'rows are pooled by %s as they are by its definition',
  (pooling) => {
    fc.assert(
      fc.property(table, (rows) => {
        const pooled = poolRows(Float32Array.from(rows.flat()), rows[0]?.length ?? 0, pooling);
        for (const [i, x] of plain(rows, pooling).entries()) expect(pooled[i]).toBeCloseTo(x, 4);
      }),
    );
  },
);

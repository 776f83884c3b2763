/** usearch: HNSW of singles, one thread; `expansion_search` is the effort. */
import { Index } from 'usearch';
import { readRows } from './rows.mjs';

let index;
let asked;
let given;

export async function load(all) {
  given = all;
  const rows = await readRows(all.rows, all.dimension);
  asked = await readRows(all.asked, all.dimension);
  index = make(64);
  index.add(
    BigUint64Array.from({ length: rows.count }, (_, i) => BigInt(i)),
    rows.values,
    1,
  );
  index.save(`${all.folder}/usearch.index`);
  return rows.count;
}

let effort = 64;

/** An index takes its effort when it is made. */
export function ask(number, kind) {
  if (kind !== null && kind !== undefined && kind !== effort) {
    effort = kind;
    index = make(effort);
    index.load(`${given.folder}/usearch.index`);
  }
  return Array.from(index.search(asked.row(number), 10, 1).keys, String);
}

function make(expansion) {
  return new Index({
    metric: 'cos',
    quantization: 'f32',
    dimensions: given.dimension,
    connectivity: 16,
    expansion_add: 128,
    expansion_search: expansion,
  });
}

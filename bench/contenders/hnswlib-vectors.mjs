/** hnswlib: HNSW of singles; `ef` is the effort. */
import hnswlib from 'hnswlib-node';
import { readRows } from './rows.mjs';

let index;
let asked;

export async function load({ rows: file, asked: questions, dimension }) {
  const rows = await readRows(file, dimension);
  asked = await readRows(questions, dimension);
  index = new hnswlib.HierarchicalNSW('cosine', dimension);
  index.initIndex(rows.count, 16, 200, 1);
  for (let i = 0; i < rows.count; i += 1) index.addPoint(Array.from(rows.row(i)), i);
  return rows.count;
}

export function ask(number, effort) {
  if (effort !== null && effort !== undefined) index.setEf(effort);
  return index.searchKnn(Array.from(asked.row(number)), 10).neighbors.map(String);
}

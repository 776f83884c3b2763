/** LanceDB: an inverted file over product codes, refined by the exact rows; how many lists it probes is the effort. */
import lancedb from '@lancedb/lancedb';
import { readRows } from './rows.mjs';

let table;
let asked;

export async function load({ rows: file, asked: questions, dimension, folder }) {
  const rows = await readRows(file, dimension);
  asked = await readRows(questions, dimension);
  const db = await lancedb.connect(`${folder}/lance`);
  for (let from = 0; from < rows.count; from += 10_000) {
    const part = [];
    for (let i = from; i < Math.min(from + 10_000, rows.count); i += 1)
      part.push({ number: i, vector: Array.from(rows.row(i)) });
    if (table === undefined) table = await db.createTable('papers', part);
    else await table.add(part);
  }
  await table.createIndex('vector', {
    config: lancedb.Index.ivfPq({ distanceType: 'cosine', numPartitions: Math.round(Math.sqrt(rows.count)) }),
  });
  return rows.count;
}

export async function ask(number, effort) {
  const found = await table
    .search(Array.from(asked.row(number)))
    .distanceType('cosine')
    .nprobes(effort ?? 16)
    .refineFactor(10)
    .select(['number', '_distance'])
    .limit(10)
    .toArray();
  return found.map((each) => String(each.number));
}

/** LanceDB: BM25 over the joint text and an inverted file over product codes; `hybrid` sums both ranks (reciprocal rank fusion, as it does by default). */
import { readFile } from 'node:fs/promises';
import lancedb from '@lancedb/lancedb';
import { linesOf } from '../corpora.mjs';
import { readRows } from './rows.mjs';

let table;
let texts;
let asked;
let reranker;

export async function load({ folder, dimension }) {
  texts = JSON.parse(await readFile(`${folder}/questions.json`, 'utf8'));
  asked = await readRows(`${folder}/questions.f32`, dimension);
  const rows = await readRows(`${folder}/rows.f32`, dimension);
  const db = await lancedb.connect(`${folder}/lance`);
  let part = [];
  let at = 0;
  const add = async () => {
    if (table === undefined) table = await db.createTable('papers', part);
    else await table.add(part);
    part = [];
  };
  for await (const { id, title, text } of linesOf(`${folder}/papers.ndjson`)) {
    part.push({ id, text: `${title} ${text}`, vector: Array.from(rows.row(at)) });
    at += 1;
    if (part.length === 10_000) await add();
  }
  if (part.length > 0) await add();
  await table.createIndex('text', { config: lancedb.Index.fts({ stem: true, removeStopWords: true }) });
  const config = lancedb.Index.ivfPq({ distanceType: 'cosine', numPartitions: Math.round(Math.sqrt(at)) });
  await table.createIndex('vector', { config });
  reranker = await lancedb.rerankers.RRFReranker.create();
  return at;
}

export async function ask(number, mode) {
  const byWords = () => table.query().fullTextSearch(texts[number]);
  const byMeaning = (query) =>
    query
      .nearestTo(Array.from(asked.row(number)))
      .distanceType('cosine')
      .nprobes(16)
      .refineFactor(10);
  const query = {
    keyword: () => byWords(),
    vector: () => byMeaning(table.query()),
    hybrid: () => byMeaning(byWords()).rerank(reranker),
  }[mode]();
  return (await query.select(['id']).limit(10).toArray()).map(({ id }) => id);
}

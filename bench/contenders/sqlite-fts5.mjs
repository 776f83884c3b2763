/** SQLite FTS5: stems (porter), any word, `bm25()` with the title twice; the last word as a beginning where the question is about it. */
import Database from 'better-sqlite3';
import { linesOf } from '../corpora.mjs';

const db = new Database(':memory:');
db.exec("CREATE VIRTUAL TABLE papers USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61')");
const asked = db.prepare(
  'SELECT id FROM papers WHERE papers MATCH ? ORDER BY bm25(papers, 0, 2, 1) LIMIT 10',
);

export async function load({ corpus }) {
  const insert = db.prepare('INSERT INTO papers VALUES (?, ?, ?)');
  let documents = 0;
  db.exec('BEGIN');
  for await (const { id, title, text } of linesOf(corpus)) {
    insert.run(id, title, text);
    documents += 1;
  }
  db.exec('COMMIT');
  return documents;
}

export function ask(text, kind) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = words.map((word) => `"${word}"`);
  const match = terms.join(' OR ') + (kind === 'as you type' ? '*' : '');
  return asked.all(match).map(({ id }) => id);
}

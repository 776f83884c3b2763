/** Orama as it is shipped: its words are always beginnings; one typo where the question is about it. */
import { create, insertMultiple, search } from '@orama/orama';
import { linesOf } from '../corpora.mjs';

const db = create({ schema: { id: 'string', title: 'string', text: 'string' } });

export async function load({ corpus }) {
  let documents = 0;
  let batch = [];
  for await (const { id, title, text } of linesOf(corpus)) {
    documents += 1;
    batch.push({ id, title, text });
    if (batch.length < 500) continue;
    await insertMultiple(db, batch);
    batch = [];
  }
  await insertMultiple(db, batch);
  return documents;
}

export async function ask(term, kind) {
  const { hits } = await search(db, {
    term,
    properties: ['title', 'text'],
    limit: 10,
    tolerance: kind === 'one typo' ? 1 : 0,
  });
  return hits.map(({ id }) => id);
}

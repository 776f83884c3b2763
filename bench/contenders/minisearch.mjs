/** MiniSearch: any word, BM25+; typos and the unfinished word only where the question is about them. */
import MiniSearch from 'minisearch';
import { linesOf } from '../corpora.mjs';

const index = new MiniSearch({ fields: ['title', 'text'], storeFields: [] });

export async function load({ corpus }) {
  for await (const { id, title, text } of linesOf(corpus)) index.add({ id, title, text });
  return index.documentCount;
}

export function ask(text, kind) {
  const last = text.split(' ').length - 1;
  const found = index.search(text, {
    boost: { title: 2 },
    fuzzy: kind === 'one typo' ? 0.2 : false,
    prefix: kind === 'as you type' ? (_, i) => i === last : false,
  });
  return found.slice(0, 10).map(({ id }) => id);
}

/** FlexSearch with words as they are ("strict", its fastest that ranks), any of them ("suggest"); beginnings only in an index of their own. */
import FlexSearch from 'flexsearch';
import { linesOf } from '../corpora.mjs';

const index = new FlexSearch.Index({ tokenize: 'strict', resolution: 9 });
const ids = [];

export async function load({ corpus }) {
  for await (const { id, title, text } of linesOf(corpus)) index.add(ids.push(id) - 1, `${title} ${text}`);
  return ids.length;
}

export function ask(text) {
  return index.search(text, { limit: 10, suggest: true }).map((number) => ids[number]);
}

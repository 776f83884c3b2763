import type { Sql } from 'postgres';
import { parseJson } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { embeddingText } from '../passages/embedding-text.ts';
import { versionOrder } from '../registry/rows.ts';
import { charactersOfText } from './language-count.ts';

/** From either end: collections that are sorted by language differ there. */
const rowsMax = 100;
/** To read a larger one as JSON would hold the thread up; of books the others tell enough. */
const documentBytesMax = 256 * 1024;
const bytesMax = 1024 * 1024;

const ends = {
  first: { of: 'collection_id', order: 'id' },
  last: { of: versionOrder, order: 'version desc, id desc' },
};

/** JSON of some documents: the first by their ids, and those written last. */
export async function readSample(sql: Sql, collectionId: number): Promise<string[]> {
  const first = await readEnd(sql, collectionId, ends.first);
  const last = first.size < rowsMax ? [] : await readEnd(sql, collectionId, ends.last);
  return [...new Map([...first, ...last]).values()];
}

async function readEnd(
  sql: Sql,
  collectionId: number,
  { of, order }: (typeof ends)['first'],
): Promise<Map<string, string>> {
  const rows = await sql.unsafe(
    `select id, source from (
       select id, source, sum(octet_length(source)) over (order by ${order}) as bytes_until
       from (select id, version, source from documents where ${of} = $1 order by ${order} limit $2) rows
       where octet_length(source) <= $3
     ) sized where bytes_until <= $4`,
    [collectionId, rowsMax, documentBytesMax, bytesMax],
  );
  return new Map(rows.map((row) => [String(row['id']), String(row['source'])]));
}

/** The beginning of what is embedded of it: its title and prose, no addresses and codes. Empty: it has none. */
export function* beginningOf(collection: WritableCollection, source: string): Steps<string> {
  const document = (yield* parseJson(source)) as StoredDocument;
  const text = yield* embeddingText(collection, document);
  return text === null ? '' : `${text.title}\n${text.text.slice(0, charactersOfText)}`;
}

import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import type { WritableCollection } from '../indexes.ts';
import {
  allDocuments,
  documentsSince,
  readDocuments,
  readFirstVectors,
  readRecorded,
  readSizes,
  readToUpgrade,
  readUnchanged,
} from '../registry/rows.ts';
import {
  type DocumentRow,
  encodeRows,
  encodeUpgradedRows,
  putDocuments,
  removeDocuments,
  upgradeDocuments,
} from './statements.ts';

/** What Postgres reads for documents that are asked for by their ids, or page by page, in a table that has grown since a connection began. */

let world: IndexesWorld;
/** One connection: plans last as long as it. */
let sql: Sql;

beforeAll(async () => {
  world = await openIndexesWorld('bundled');
  sql = postgres(world.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql?.end();
  await world?.close();
});

const dimension = 2;
/** Until then a prepared statement is planned anew each time. */
const askedBefore = 8;
const grown = 20_000;
const asked = 20;
/** A few for each document, of the table and of four indexes; all of the table is more than 1,600. */
const blocksMax = 20 * asked;

const rowOf = (id: string): DocumentRow => ({
  id,
  source: JSON.stringify({ id, text: 'x'.repeat(500) }),
  contentHash: Uint8Array.of(1, 2),
  modelId: 'static-1',
  vectors: new Float32Array(dimension),
  spans: Int32Array.of(0, 0, 1),
});

function done<T>(steps: Generator<unknown, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

async function blocksRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql`
    select heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit as blocks from pg_statio_user_tables where relname = 'documents'`;
  return Number(row?.['blocks']);
}

async function grow({ id }: WritableCollection, count: number): Promise<void> {
  await sql`
    insert into documents (collection_id, id, version, source, content_hash, model_id, vectors, spans)
    select ${id}, 'd' || lpad(n::text, 6, '0'), 1, repeat('x', 500), decode('0102', 'hex'), 'static-1', decode('0000000000000000', 'hex'), '{0,0,1}'
    from generate_series(1, ${count}::int) n on conflict do nothing`;
}

const idsFrom = (from: number) =>
  Array.from({ length: asked }, (_, i) => `d${String(from + i).padStart(6, '0')}`);

type Statement = (collectionId: number, ids: string[]) => Promise<unknown>;

const put =
  (keepExisting: boolean): Statement =>
  async (collectionId, ids) => {
    const documents = ids.map((id) => ({ id, version: null }));
    const options = { documents, model: 'builtin', keepExisting, documentLimits: null };
    const rows = done(encodeRows(ids.map(rowOf)));
    return (await putDocuments(sql, collectionId, rows, options)).written;
  };

const first = async <T>(pages: AsyncGenerator<T>) => (await pages.next()).value;

const statements: Record<string, Statement> = {
  'documents are read': (collectionId, ids) => readDocuments(sql, collectionId, ids),
  'their texts are read': (collectionId, ids) => readRecorded(sql, collectionId, { ids, bytesMax: 1e6 }),
  'their sizes are read': (collectionId, ids) => readSizes(sql, collectionId, ids),
  'their first vectors are read': (id, ids) => readFirstVectors(sql, { id, dimension }, ids),
  'what is unchanged is read': (collectionId, ids) =>
    readUnchanged(
      sql,
      collectionId,
      ids.map((id) => ({ id, contentHash: Uint8Array.of(1, 2) })),
    ),
  'they are written': put(false),
  'they are kept': put(true),
  'they are upgraded': async (collectionId, ids) => {
    const rows = ids.map((id) => ({ ...rowOf(id), version: 1, modelId: 'static-1' }));
    return (await upgradeDocuments(sql, collectionId, done(encodeUpgradedRows(rows)))).upgraded;
  },
  'what is to upgrade is read': (collectionId) =>
    readToUpgrade(sql, collectionId, { rowsMax: asked, bytesMax: 1e6, of: 'table' }),
  'they are deleted': async (collectionId, ids) =>
    new Set((await removeDocuments(sql, collectionId, { ids })).gone),
  'a page of all is read': (collectionId) => first(allDocuments(sql, collectionId)),
  'a page of what was written since is read': (collectionId) => first(documentsSince(sql, collectionId, 1)),
};

test.each([
  ['that was empty', 0, 0],
  ['of ten documents of another collection', 10, 0],
  ['of some thousand documents of another collection', 3_000, 0],
  ['of ten documents', 0, 10],
])('documents are found by their key in a table %s when the connection began', async (_, others, own) => {
  await sql`delete from documents`;
  await sql`vacuum analyze documents`;
  const other = await world.newCollection({ dimension });
  const collection = await world.newCollection({ dimension });
  await grow(other, others);
  await grow(collection, own);
  if (others + own > 0) await sql`analyze documents`;
  await sql`discard plans`;
  for (const statement of Object.values(statements))
    for (let i = 0; i < askedBefore; i += 1) await statement(collection.id, [`none${i}`]);
  await sql`delete from documents where collection_id = ${collection.id} and id like 'none%'`;
  await grow(collection, grown);
  let from = 0;
  for (const [name, statement] of Object.entries(statements)) {
    from += 1_000;
    const ids = idsFrom(from);
    const before = await blocksRead();
    const found = await statement(collection.id, ids);
    const blocks = (await blocksRead()) - before;
    // To read all from an emptied table that nobody has looked at since is rare, and it is planned anew a minute later.
    if (name !== 'a page of all is read' || others + own > 0)
      expect.soft(blocks, name).toBeLessThan(blocksMax);
    if (found instanceof Map || found instanceof Set)
      expect(found.size, name).toBe(name === 'they are kept' ? 0 : asked);
  }
});

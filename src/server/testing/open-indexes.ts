import path from 'node:path';
import { z } from 'zod';
import type { Requester } from '#server/admission/requester.ts';
import { createEmbedder } from '#server/embeddings/create-embedder.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { createIndexes } from '#server/indexes/create-indexes.ts';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import type { CollectionHandle, Indexes, Search, WritableCollection } from '#server/indexes/indexes.ts';
import type { IndexesOptions } from '#server/indexes/indexes-options.ts';
import type { ShownAnswer } from '#server/indexes/search/search-answer.ts';
import { createLog } from '#server/log.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { type SearchHit, searchModes } from '#shared/search.ts';
import { searchParameters } from '#shared/search-parameters.ts';
import type { DatabaseKind } from './databases.ts';
import { openTestRecord } from './open-record.ts';

export const testRequester: Requester = { tenant: 'a tenant', caller: 'a caller' };

/** A record with indexes over it and nothing above: collections are made here, documents go through `indexes`. */
export interface IndexesWorld {
  record: Awaited<ReturnType<typeof openTestRecord>>['record'];
  /** Of the record's database, for connections of a test's own. */
  url: string;
  embedder: Embedder;
  /** What was logged, one JSON text a line. */
  logLines: string[];
  snapshotsDir: string;
  /** Indexes over the same record and folder; only one may be in use at a time. */
  openIndexes(options?: Partial<IndexesOptions>): Indexes & { host: EngineHost };
  newCollection(given?: Partial<WritableCollection> & { model?: string }): Promise<WritableCollection>;
  close(): Promise<void>;
}

/** Documents are not upgraded unless told. */
export async function openIndexesWorld(
  kind: DatabaseKind,
  { isStaticOnly = true }: { isStaticOnly?: boolean } = {},
): Promise<IndexesWorld> {
  const { record, url, dataDir, close } = await openTestRecord(kind);
  const logLines: string[] = [];
  const log = createLog('debug', (line) => logLines.push(line));
  const modelsDir = path.resolve('models');
  const waits = { waitMsMax: 60_000, queryWaitMs: 60_000 };
  const embedder = await createEmbedder({ modelsDir, log, ...waits, isStaticOnly });
  const { sql } = record;
  const [project] = await sql`
    with workspace as (insert into workspaces (name, slug) values ('w', 'w') returning id)
    insert into projects (workspace_id, name, slug) select id, 'p', 'p' from workspace returning id`;
  const opened: Indexes[] = [];
  let collections = 0;
  return {
    record,
    url,
    embedder,
    logLines,
    snapshotsDir: path.join(dataDir, 'indexes'),
    openIndexes(options = {}) {
      const host = options.host ?? createLocalHost();
      const settings = { dataDir, indexMemoryBytes: 1e9, answerBytesMax: 32e6 };
      // Hardly any time passes: no index becomes idle, so none is saved behind a test's back.
      let time = 0;
      const now = () => {
        time += 0.001;
        return time;
      };
      const memoryWaitMs = 120_000;
      const quiet = { detectsLanguages: false };
      const parts = { record, embedder, settings, log, host, now, memoryWaitMs };
      const indexes = createIndexes({ ...quiet, ...parts, ...options });
      opened.push(indexes);
      return { ...indexes, host };
    },
    async newCollection(given = {}) {
      const { dimension = 384, metric = 'cosine', metadata = null, model = 'builtin' } = given;
      const [row] = await sql`
        insert into collections (project_id, name, dimension, metric, model, metadata)
        values (${project?.['id']}, ${`c${++collections}`}, ${dimension}, ${metric}, ${model},
          ${metadata && JSON.stringify(metadata)}::text::jsonb) returning id`;
      return { id: Number(row?.['id']), for: testRequester, dimension, metric, metadata, rulesVersion: 0 };
    },
    async close() {
      for (const indexes of opened) await indexes.stop();
      await embedder.stop();
      await close();
    },
  };
}

/** The record, which loses its database and has it back when the test says so. */
export function withRegaining(record: IndexesWorld['record']) {
  const listeners: (() => void)[] = [];
  return {
    record: { ...record, onRegained: (listener: () => void) => void listeners.push(listener) },
    regain: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** What a caller reads of an answer. */
export function asRead<T>(answer: T) {
  return JSON.parse(JSON.stringify(answer));
}

/** Of a search without groups. */
export function shownHits(answer: ShownAnswer): SearchHit[] {
  if (!('hits' in answer)) throw new Error('The hits are grouped');
  return answer.hits.parse();
}

/** Parameters as a caller sends them. */
export function parameters({ mode = 'keyword', ...given }: Record<string, unknown>): Search {
  return { ...searchParameters.parse(given), mode: z.enum(searchModes).parse(mode) };
}

/** An upload of these values, one a row. */
export async function* rowsOf(values: unknown[]) {
  for (const [index, value] of values.entries()) {
    yield { index, text: typeof value === 'string' ? value : JSON.stringify(value) };
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The documents that are exported, in their order. */
export async function exported(
  indexes: Indexes,
  collection: CollectionHandle,
  filterBy?: string,
): Promise<StoredDocument[]> {
  const nothing = { filterBy, includeFields: undefined, excludeFields: undefined };
  const text = Buffer.concat(await collect(indexes.export(collection, nothing))).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

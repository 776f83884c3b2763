import type { Sql } from 'postgres';
import type { Requester } from '#server/admission/requester.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { readDocuments } from '#server/indexes/registry/rows.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import type { OpenedIndex } from './opened-index.ts';
import { forgetApplied, noteFaults, pendingOf } from './outbox.ts';
import { readVersions, type VersionedBatch, writeDocuments } from './write-documents.ts';

interface ApplierParts {
  cluster: Cluster;
  /** The server's own. */
  sql: Sql;
  log: Log;
}

/** Read of the record at once. */
const documentsMax = 500;
/** Of the outbox. */
const versionsMax = 200;

/** Brings what the record has to the cluster, and forgets that it was to be brought once the cluster has it. */
export class Applier {
  readonly #parts: ApplierParts;
  /** What is on its way, by collection. */
  readonly #underWay = new Map<number, Set<Promise<unknown>>>();
  /** What searches have found noted and bring, by index, and up to which version. */
  readonly #bringing = new Map<string, { upTo: number; done: Promise<void> }>();

  constructor(parts: ApplierParts) {
    this.#parts = parts;
  }

  /** Versions that were just committed, as they were. @throws as `writeDocuments` */
  apply(collection: CollectionHandle, opened: OpenedIndex, batches: VersionedBatch[]): Promise<void> {
    const applying = this.#write(
      collection,
      opened,
      batches,
      batches.map(({ version }) => version),
    );
    return this.#track(collection.id, applying);
  }

  /** Resolves once nothing of the collection is on its way, however it ended. */
  async settled(collectionId: number): Promise<void> {
    await Promise.allSettled(this.#underWay.get(collectionId) ?? []);
  }

  /**
   * What is noted for the collection up to a version: whoever was to bring it may have been killed. However many searches find it noted, it is brought once; what is written
   * meanwhile comes with later ones. @throws as `writeDocuments`
   */
  async applyPending(collection: CollectionHandle, opened: OpenedIndex, upTo: number): Promise<void> {
    const { index } = opened;
    const known = this.#bringing.get(index);
    if (known !== undefined && known.upTo >= upTo) return await known.done;
    const own = { upTo, done: this.#bring(collection, opened, upTo) };
    this.#bringing.set(index, own);
    try {
      await own.done;
    } finally {
      if (this.#bringing.get(index) === own) this.#bringing.delete(index);
    }
  }

  async #bring(collection: CollectionHandle, opened: OpenedIndex, upTo: number): Promise<void> {
    // Each once: where another generation has taken the place of this one, they stay noted for that.
    for (let after = 0; ; ) {
      const asked = { after, upTo, limit: versionsMax };
      const versions = await pendingOf(this.#parts.sql, collection.id, asked);
      const last = versions.at(-1);
      if (last === undefined) return;
      await this.applyVersions(collection, opened, versions);
      after = last;
    }
  }

  /** These versions, as far as the record still has them: what was written again since comes with its own version. */
  async applyVersions(collection: CollectionHandle, opened: OpenedIndex, versions: number[]): Promise<void> {
    const { sql } = this.#parts;
    const { deletes, ids } = await readVersions(sql, collection.id, versions);
    const gone = Array.from(deletes, ([version, own]) => ({ version, puts: [], deletes: own }));
    await this.#write(collection, opened, gone, []);
    for (let from = 0; from < ids.length; from += documentsMax) {
      const rows = await readDocuments(sql, collection.id, ids.slice(from, from + documentsMax));
      await this.#write(collection, opened, [{ version: 0, puts: [...rows.values()], deletes: [] }], []);
    }
    await forgetApplied(sql, { collectionId: collection.id, ...opened }, versions);
  }

  async #write(
    collection: CollectionHandle,
    opened: OpenedIndex,
    batches: VersionedBatch[],
    versions: number[],
  ): Promise<void> {
    const { cluster, sql, log } = this.#parts;
    const requester: Requester = collection.for;
    const refused = await writeDocuments({ cluster, index: opened.index, requester }, batches, {
      ...opened,
      collection,
    });
    await noteFaults({ sql, log }, { collectionId: collection.id, ...opened }, refused);
    await forgetApplied(sql, { collectionId: collection.id, ...opened }, versions);
  }

  #track<T>(collectionId: number, applying: Promise<T>): Promise<T> {
    const all = this.#underWay.get(collectionId) ?? new Set();
    this.#underWay.set(collectionId, all.add(applying));
    const forget = () => {
      all.delete(applying);
      if (all.size === 0 && this.#underWay.get(collectionId) === all) this.#underWay.delete(collectionId);
    };
    applying.then(forget, forget);
    return applying;
  }
}

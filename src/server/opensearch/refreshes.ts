import type { Sql } from 'postgres';
import type { Cluster } from './cluster.ts';
import { noteRefreshed } from './index-states.ts';
import type { Preference } from './multi-search.ts';
import type { OpenedIndex } from './opened-index.ts';

interface RefreshesParts {
  cluster: Cluster;
  sql: Sql;
}

/**
 * All that is in an index by now is seen by searches then: one refresh does for all who wait for it. A copy that cannot be refreshed, as on a full disk, may be
 * asked by the cluster until it is given up; meanwhile it does not see all, and searches ask the primary.
 */
export class Refreshes {
  readonly #parts: RefreshesParts;
  /** Under way, by index, and up to which version they see. */
  readonly #underWay = new Map<string, { version: number; done: Promise<Preference> }>();

  constructor(parts: RefreshesParts) {
    this.#parts = parts;
  }

  async run(
    collectionId: number,
    { index, generation }: Pick<OpenedIndex, 'index' | 'generation'>,
    version: number,
  ): Promise<Preference> {
    const known = this.#underWay.get(index);
    if (known !== undefined && known.version >= version) return await known.done;
    const refresh = async () => {
      const { cluster, sql } = this.#parts;
      if (!(await refreshIndex(cluster, index))) return '_primary';
      await noteRefreshed(sql, { collectionId, generation }, version);
      return undefined;
    };
    const own = { version, done: refresh() };
    this.#underWay.set(index, own);
    try {
      return await own.done;
    } finally {
      if (this.#underWay.get(index) === own) this.#underWay.delete(index);
    }
  }
}

/** @returns false: a copy was not refreshed */
export async function refreshIndex(cluster: Cluster, index: string): Promise<boolean> {
  const request = { method: 'POST', path: `/${index}/_refresh` } as const;
  const { _shards: copies } = await cluster.ask<{ _shards: { failed: number } }>(request);
  return copies.failed === 0;
}

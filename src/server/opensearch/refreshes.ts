import type { Sql } from 'postgres';
import type { Cluster } from './cluster.ts';
import { noteRefreshed } from './index-states.ts';
import type { OpenedIndex } from './opened-index.ts';

interface RefreshesParts {
  cluster: Cluster;
  sql: Sql;
}

/** All that is in an index by now is seen by searches then: one refresh does for all who wait for it. */
export class Refreshes {
  readonly #parts: RefreshesParts;
  /** Under way, by index, and up to which version they see. */
  readonly #underWay = new Map<string, { version: number; done: Promise<void> }>();

  constructor(parts: RefreshesParts) {
    this.#parts = parts;
  }

  async run(
    collectionId: number,
    { index, generation }: Pick<OpenedIndex, 'index' | 'generation'>,
    version: number,
  ): Promise<void> {
    const known = this.#underWay.get(index);
    if (known !== undefined && known.version >= version) return await known.done;
    const refresh = async () => {
      const { cluster, sql } = this.#parts;
      await cluster.ask({ method: 'POST', path: `/${index}/_refresh` });
      await noteRefreshed(sql, { collectionId, generation }, version);
    };
    const own = { version, done: refresh() };
    this.#underWay.set(index, own);
    try {
      await own.done;
    } finally {
      if (this.#underWay.get(index) === own) this.#underWay.delete(index);
    }
  }
}

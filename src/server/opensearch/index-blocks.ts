import { AppError } from '#server/errors.ts';
import type { Cluster } from './cluster.ts';
import { IndexBlocked } from './cluster-error.ts';

const retryAfterSeconds = 10;

/** Whether the cluster takes no documents for an index just now: a node's disk is so full that it only lets documents be deleted. */
const isBlocked = (error: unknown) => error instanceof AppError && error.cause instanceof IndexBlocked;

/** Indexes that took no documents when they were written to last. What is written to them would be stored and not found. */
export class IndexBlocks {
  readonly #cluster: Cluster;
  readonly #known = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Takes notice of why documents were not brought to an index. */
  note(index: string, error: unknown): void {
    if (isBlocked(error)) this.#known.add(index);
  }

  /** Brings documents that are noted; false where there is no room for them. Nobody was told that these are written, so a search may do without. */
  async hasRoomFor(index: string, bring: () => Promise<void>): Promise<boolean> {
    try {
      await bring();
      return true;
    } catch (error) {
      if (!isBlocked(error)) throw error;
      this.note(index, error);
      // Later versions may be there, as what deletes alone, of which nobody has noted how much was seen.
      await this.#cluster.ask({ method: 'POST', path: `/${index}/_refresh` });
      return false;
    }
  }

  /** Asks the cluster where it was blocked before. @throws AppError UNAVAILABLE */
  async assertNone(index: string): Promise<void> {
    if (!this.#known.has(index)) return;
    const block = 'index.blocks.read_only_allow_delete';
    const path = `/${index}/_settings/${block}?flat_settings=true`;
    const answer = await this.#cluster.ask<Record<string, { settings: Record<string, string> }>>({
      method: 'GET',
      path,
    });
    if (Object.values(answer).some(({ settings }) => settings[block] === 'true')) {
      throw new AppError(
        'UNAVAILABLE',
        'The search cluster has no room for further documents; nothing was stored',
        {
          retryAfterSeconds,
        },
      );
    }
    this.#known.delete(index);
  }
}

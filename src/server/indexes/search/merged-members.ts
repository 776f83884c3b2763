import type { Agreement, Candidates } from '#server/engine/merged-types.ts';
import type { SimilarityUnit } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from '../host/engine-calls.ts';
import type { MergedSearch, MergedTarget } from '../indexes.ts';
import type { CollectionIndexes } from '../registry/collection-indexes.ts';
import { findTooLarge } from './answer-bytes.ts';
import { inParallel } from './in-parallel.ts';
import type { SearchTimes } from './search-times.ts';
import { shareBytes } from './share-bytes.ts';

/** A collection that takes part in a merged search. */
export interface Member {
  target: MergedTarget;
  query: SearchQuery;
  /** Of which its query's vector is: similarities of two models are not comparable as they are. */
  model: string;
  /** In what its similarities are told; null: as they are. */
  unit: SimilarityUnit | null;
  agreement: Agreement;
  /** As far as they were asked for. */
  candidates: Candidates;
}

/** What of the registry is needed. */
export type Reader = Pick<CollectionIndexes, 'read'>;

/** What they are asked before it is known which hits are on the page. */
type MergedCall = 'tellWords' | 'tellSides' | 'rankShared' | 'firstVectors';

/** Enough to keep the engine's threads busy; with more, other callers' searches would wait longer. */
const callsAtOnce = 8;

const noAgreement: Agreement = { reading: null, neighbours: null, scale: null, support: null };
export const noCandidates: Candidates = {
  found: 0,
  outOf: 0,
  ids: [],
  scores: new Float64Array(0),
  relevances: new Float64Array(0),
  textMatches: new Float64Array(0),
  coverages: new Float64Array(0),
  facets: [],
  areNeighbours: new Uint8Array(0),
  fits: null,
  held: [],
};

/** The collections of a merged search, by id. One that fails at a step leaves, and the others go on. */
export class MergedMembers {
  readonly #registry: Reader;
  readonly #signal: AbortSignal | undefined;
  readonly #times: SearchTimes;
  #members: Member[] = [];
  readonly failed: MergedSearch['failed'] = [];
  /** Of one of them at least another index of the record has answered. */
  isFromRecord: EngineReply<MergedCall>['isFromRecord'] | null = null;

  constructor(registry: Reader, { signal, times }: { signal: AbortSignal | undefined; times: SearchTimes }) {
    this.#registry = registry;
    this.#signal = signal;
    this.#times = times;
  }

  get all(): readonly Member[] {
    return this.#members;
  }

  /** Takes in the targets for which a query can be made. */
  async join(
    targets: MergedTarget[],
    toQuery: (target: MergedTarget) => Promise<Pick<Member, 'query' | 'model'>>,
  ): Promise<void> {
    const byId = targets.toSorted((a, b) => a.collection.id - b.collection.id);
    this.#members = await this.#each(
      byId.map((target) => ({ target })),
      async ({ target }) => ({
        target,
        ...(await toQuery(target)),
        unit: null,
        agreement: noAgreement,
        candidates: noCandidates,
      }),
    );
  }

  /** What those say that stay, in the members' order. */
  async ask<Name extends MergedCall>(
    request: (member: Member) => EngineRequest<Name>,
    asked: readonly Member[] = this.#members,
  ): Promise<{ member: Member; reply: EngineReply<Name> }[]> {
    const replies = await this.#each(asked, async (member) => {
      const { collection } = member.target;
      return { member, reply: await this.#registry.read(collection, request(member), this.#signal) };
    });
    for (const { reply } of replies) {
      this.#times.addParts(reply.times);
      this.isFromRecord ??= reply.isFromRecord ?? null;
    }
    this.#dropFailed();
    return replies;
  }

  /** The hits that are picked of each, which have `bytesMax` bytes together. @throws AppError UNPROCESSABLE when they have more */
  async askForHits(
    asked: readonly Member[],
    limit: { bytesMax: number; countParameter: string },
    question: (member: Member) => Omit<EngineRequest<'hitsOfPicked'>, 'call' | 'bytesMax'>,
  ): Promise<{ member: Member; reply: EngineReply<'hitsOfPicked'> }[]> {
    const bytesOf = ({ hits }: EngineReply<'hitsOfPicked'>) => hits.byteLength;
    const limits = { ...limit, bytesOf, atOnce: callsAtOnce, signal: this.#signal };
    const outcomes = await shareBytes(asked, limits, (member, bytesMax) =>
      this.#registry.read(
        member.target.collection,
        { call: 'hitsOfPicked', ...question(member), bytesMax },
        this.#signal,
      ),
    );
    const replies = outcomes.flatMap((outcome, i) => {
      const member = asked[i];
      if (member === undefined) return [];
      if ('result' in outcome) return [{ member, reply: outcome.result }];
      if (findTooLarge(outcome.error) !== null) throw outcome.error;
      this.failed.push({ target: member.target, error: outcome.error });
      return [];
    });
    for (const { reply } of replies) this.#times.addParts(reply.times);
    this.#dropFailed();
    return replies;
  }

  #dropFailed(): void {
    const failed = new Set(this.failed.map(({ target }) => target));
    this.#members = this.#members.filter(({ target }) => !failed.has(target));
  }

  /** The results of those that do not fail. */
  async #each<Item extends { target: MergedTarget }, Result>(
    items: readonly Item[],
    task: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const limits = { atOnce: callsAtOnce, signal: this.#signal };
    const outcomes = await inParallel(items, limits, async (item) => {
      try {
        return { result: await task(item) };
      } catch (error) {
        this.#signal?.throwIfAborted();
        this.failed.push({ target: item.target, error });
        return null;
      }
    });
    return outcomes.flatMap((outcome) => (outcome === null ? [] : [outcome.result]));
  }
}

import { plainReads, SearchIndex, shrinkScratch } from '#server/engine/search-index.ts';
import type { SnapshotPiece } from '#server/engine/snapshot.ts';
import { runSteps, type Steps } from '#server/engine/steps.ts';
import type { IndexSettings, IndexStats, SearchQuery } from '#server/engine/types.ts';
import { analyzerOf } from '../language/analyzer-of.ts';
import { documentMapText } from '../search/document-map-text.ts';
import { facetsText } from '../search/facet-counts.ts';
import { groupsText } from '../search/grouped-hits.ts';
import { headsText } from '../search/headed-text.ts';
import { documentsText, hitsText, linesText, mergedHitTexts } from '../search/search-hit.ts';
import { areWhole } from '../search/shown-document.ts';
import { ArrivingSnapshots } from './arriving-snapshots.ts';
import type {
  CallName,
  EngineCalls,
  EngineReply,
  EngineRequest,
  OpenSettings,
  PlainRead,
  ShownWithin,
  Timed,
} from './engine-calls.ts';
import { GatheredSnapshots } from './gathered-snapshots.ts';
import { IndexLostError } from './index-lost-error.ts';
import { type PackedBatch, unpackBatch } from './packed-batch.ts';
import { PartClock } from './part-clock.ts';
import { UpkeepTurns } from './upkeep-turns.ts';

type CallHandler<Name extends CallName> = (
  collectionId: number,
  asks: EngineCalls[Name]['asks'],
  progress: PartClock,
) => Steps<EngineReply<Name>>;
type CallHandlers = { [Name in CallName]: CallHandler<Name> };
type PlainMethods = {
  [Name in PlainRead]: (asks: EngineCalls[Name]['asks'], progress: PartClock) => Steps<EngineReply<Name>>;
};

/** Whole documents that are too many bytes are refused before any is read, and what is made beside them while it is made. */
function within(query: SearchQuery, { shown, bytesMax }: ShownWithin): SearchQuery {
  const made = { ...query, answerBytesMax: bytesMax };
  return areWhole(shown) ? { ...made, sourceBytesMax: bytesMax } : made;
}

/**
 * The indexes of one thread. Each call is a series of steps: calls on different collections may take turns, those on one collection must
 * be run to their end one after the other.
 */
export class EngineCallHandler {
  readonly #indexes = new Map<number, SearchIndex>();
  readonly #gathered = new GatheredSnapshots();
  readonly #arriving = new ArrivingSnapshots();
  readonly #upkeep: Pick<UpkeepTurns, 'add' | 'run'>;

  readonly #handlers: CallHandlers = {
    ...this.#plainHandlers(),
    open: (collectionId, { settings, snapshot }) =>
      atOnce(() => this.#open(collectionId, settings, snapshot)),
    openBytes: (collectionId, { bytes }) => this.#openBytes(collectionId, bytes),
    apply: (collectionId, { batch }) => apply(this.#index(collectionId), batch),
    search: (collectionId, asks, progress) => search(this.#index(collectionId), asks, progress),
    list: (collectionId, asks, progress) => list(this.#index(collectionId), asks, progress),
    check: (collectionId, { query }) => atOnce(() => this.#index(collectionId).check(query) ?? null),
    tellWords: (collectionId, { query, question }, progress) =>
      timed(this.#index(collectionId).tellWords(query, question, progress), progress),
    tellSides: (collectionId, { query, reading }, progress) =>
      timed(this.#index(collectionId).tellSides(query, reading, progress), progress),
    rankShared: (collectionId, { query, agreement }, progress) =>
      timed(this.#index(collectionId).rankShared(query, agreement, progress), progress),
    firstVectors: (collectionId, { ids }, progress) =>
      timed(this.#index(collectionId).firstVectors(ids, progress), progress),
    hitsOfPicked: (collectionId, asks, progress) => hitsOfPicked(this.#index(collectionId), asks, progress),
    ids: (collectionId, asks, progress) => this.#index(collectionId).idSteps(asks, progress),
    lines: (collectionId, asks, progress) => lines(this.#index(collectionId), asks, progress),
    sample: (collectionId, asks, progress) => sample(this.#index(collectionId), asks, progress),
    fields: (collectionId) => atOnce(() => this.#index(collectionId).fields()),
    stats: (collectionId) => atOnce(() => this.#index(collectionId).stats()),
    snapshot: (collectionId) => this.#gathered.gather(collectionId, this.#index(collectionId)),
    snapshotBytes: (collectionId, asks) => this.#gathered.copy(collectionId, asks),
    endSnapshot: (collectionId) => atOnce(() => this.#endSnapshot(collectionId)),
    close: (collectionId) => atOnce(() => this.#close(collectionId)),
  };

  constructor(upkeep: Pick<UpkeepTurns, 'add' | 'run'> = new UpkeepTurns()) {
    this.#upkeep = upkeep;
  }

  /**
   * Begins a call. Its steps throw IndexLostError, FilterFaultError and whatever the engine throws, some of it before the first step.
   * `progress` says what a search is at.
   */
  start<Name extends CallName>(
    collectionId: number,
    request: EngineRequest<Name>,
    progress: PartClock,
  ): Steps<EngineReply<Name>> {
    if (request.call === 'open' || request.call === 'apply') {
      this.#gathered.end(collectionId);
      this.#upkeep.add(collectionId);
    }
    return this.#handlers[request.call](collectionId, request, progress);
  }

  /** The same to its end. */
  run<Name extends CallName>(collectionId: number, request: EngineRequest<Name>): EngineReply<Name> {
    return runSteps(this.start(collectionId, request, new PartClock()));
  }

  /** Each call by the index's method of its name. */
  #plainHandlers(): Pick<CallHandlers, PlainRead> {
    const handlerOf = <Name extends PlainRead>(name: Name): CallHandler<Name> => {
      return (collectionId, asks, progress) => {
        const index: PlainMethods = this.#index(collectionId);
        return index[name](asks, progress);
      };
    };
    const handlers = plainReads.map((name) => [name, handlerOf(name)]);
    return Object.fromEntries(handlers) as Pick<CallHandlers, PlainRead>;
  }

  #open(
    collectionId: number,
    { language = null, ...open }: OpenSettings,
    snapshot: readonly SnapshotPiece[] | null,
  ): IndexStats {
    const settings: IndexSettings = { ...open, analyzer: analyzerOf(language) };
    const empty = SearchIndex.create(settings);
    this.#arriving.end(collectionId);
    this.#indexes.delete(collectionId);
    if (snapshot === null) this.#indexes.set(collectionId, empty);
    else this.#arriving.begin(collectionId, snapshot, settings);
    return empty.stats();
  }

  *#openBytes(collectionId: number, bytes: Uint8Array): Steps<EngineReply<'openBytes'>> {
    const decoded = yield* this.#arriving.take(collectionId, bytes);
    if (decoded === null || 'refused' in decoded) return decoded;
    this.#indexes.set(collectionId, decoded.index);
    this.#upkeep.add(collectionId);
    return decoded.index.stats();
  }

  #endSnapshot(collectionId: number): null {
    // What it had to be kept up waited.
    if (this.#gathered.end(collectionId)) this.#upkeep.add(collectionId);
    return null;
  }

  #close(collectionId: number): null {
    this.#gathered.end(collectionId);
    this.#arriving.end(collectionId);
    this.#indexes.delete(collectionId);
    let mostOrdinals = 0;
    for (const { capacity } of this.#indexes.values()) mostOrdinals = Math.max(mostOrdinals, capacity);
    shrinkScratch(mostOrdinals);
    return null;
  }

  /** As `UpkeepTurns.run`. */
  upkeep(): boolean {
    return this.#upkeep.run((collectionId) =>
      this.#gathered.has(collectionId) ? undefined : this.#indexes.get(collectionId),
    );
  }

  #index(collectionId: number): SearchIndex {
    const index = this.#indexes.get(collectionId);
    if (!index) throw new IndexLostError(collectionId);
    return index;
  }
}

/** What takes no time. */
function* atOnce<Result>(task: () => Result): Steps<Result> {
  yield;
  return task();
}

function* apply(index: SearchIndex, batch: PackedBatch): Steps<IndexStats> {
  yield* index.applySteps(unpackBatch(batch));
  return index.stats();
}

function* timed<Told extends object>(steps: Steps<Told>, progress: PartClock): Steps<Told & Timed> {
  const told = yield* steps;
  return { ...told, times: progress.times };
}

function* search(
  index: SearchIndex,
  { query, shown, bytesMax }: EngineCalls['search']['asks'],
  progress: PartClock,
): Steps<EngineReply<'search'>> {
  const { hits, groups, ...answer } = yield* index.searchSteps(within(query, { shown, bytesMax }), progress);
  progress.part = 'answer';
  const facets = answer.facets.length === 0 ? null : yield* facetsText(answer.facets, bytesMax);
  const left = bytesMax - (facets?.byteLength ?? 0);
  const text = groups === null ? hitsText(hits, shown, left) : groupsText({ hits, groups }, shown, left);
  return { ...answer, facets, hits: yield* text, heads: headsText(hits), times: progress.times };
}

function* list(
  index: SearchIndex,
  { query, shown, bytesMax }: EngineCalls['list']['asks'],
  progress: PartClock,
): Steps<EngineReply<'list'>> {
  const { found, hits } = yield* index.searchSteps(within(query, { shown, bytesMax }), progress);
  return { found, hits: yield* documentsText(hits, shown, bytesMax) };
}

function* lines(
  index: SearchIndex,
  { filter, after, limit, shown, bytesMax }: EngineCalls['lines']['asks'],
  progress: PartClock,
): Steps<EngineReply<'lines'>> {
  const ids = yield* index.idSteps({ filter, after, limit }, progress);
  const found = (yield* index.documents({ ids, withVectors: false, bytesMax })).filter((one) => one !== null);
  const isLast = ids.length < limit && found.length === ids.length;
  return {
    lines: yield* linesText(found, shown),
    count: found.length,
    last: isLast ? null : (found.at(-1)?.id ?? null),
  };
}

function* sample(
  index: SearchIndex,
  { bytesMax, ...asked }: EngineCalls['sample']['asks'],
  progress: PartClock,
): Steps<EngineReply<'sample'>> {
  return { map: yield* documentMapText(yield* index.sample(asked, progress), bytesMax) };
}

function* hitsOfPicked(
  index: SearchIndex,
  { query, agreement, picked, ...asked }: EngineCalls['hitsOfPicked']['asks'],
  progress: PartClock,
): Steps<EngineReply<'hitsOfPicked'>> {
  const hits = yield* index.hitsOfPicked(within(query, asked), { agreement, picked }, progress);
  progress.part = 'answer';
  return yield* timed(mergedHitTexts(hits, asked), progress);
}

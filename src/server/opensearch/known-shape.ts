import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '#server/indexes/registry/unless-aborted.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { counted, totalOf } from './multi-search.ts';
import type { OpenedIndex, SharedQuestion } from './opened-index.ts';
import { everything, term } from './query.ts';
import { type KindCounts, type KnownShape, Shape } from './shape.ts';

/** A field has up to six entries. */
const kindsMax = 10_000;
/** Whether documents still have so many kinds is asked kind by kind. */
const askedKindsMax = 64;
/** Then all are counted once more: a change may be seen after one with a higher number, and a copy that takes the place of a lost one numbers anew what that one alone had. */
const countedEveryMs = 60_000;

/**
 * What searches need to know of fields. Once it is known, documents that came since are looked at, and where others may have gone or become others, whether any still has what was known:
 * to count all documents after each write takes the longer the more there are. All are counted at most once a minute, and nobody waits for that.
 */
export function shapeOf(asked: SharedQuestion): Promise<Shape> {
  const { opened, version } = asked;
  // One of a later version is no worse: it is of this moment.
  if (opened.shape === null || opened.shape.version < version) {
    const known = readKnown(asked, opened.shape?.known ?? null);
    opened.shape = { version, known };
    known.catch(() => {
      if (opened.shape?.known === known) opened.shape = null;
    });
  }
  return shapeIn(asked, opened.shape.known);
}

async function shapeIn(asked: SharedQuestion, reading: Promise<KnownShape>): Promise<Shape> {
  const known = await unlessAborted(reading, asked.signal);
  if (!known.isCounted && !isRecent(known)) countAnew(asked);
  return known.shape;
}

const isRecent = ({ countedAt }: KnownShape) => performance.now() - countedAt < countedEveryMs;

/** In the background, once for all and once a minute, also where it fails. */
function countAnew(asked: SharedQuestion): void {
  const { opened, version } = asked;
  const startedAt = performance.now();
  if (opened.recount !== null && startedAt - opened.recount.startedAt < countedEveryMs) return;
  const recount: NonNullable<OpenedIndex['recount']> = { known: null, startedAt };
  opened.recount = recount;
  const count = async () => {
    // Not in the request of what this search asks next.
    await nextTurn();
    const known = await readWhole(asked);
    recount.known = known;
    // Searches may be at a later version by now: what came since is looked at from this one on.
    if (opened.shape !== null && opened.shape.version <= version)
      opened.shape = { version: opened.shape.version, known: Promise.resolve(known) };
  };
  // What is known is told until the next one.
  count().catch(() => undefined);
}

/** With how many documents have each field and type, counted in all of them: once a version. */
export async function countedShape(asked: SharedQuestion): Promise<Shape> {
  const { opened, version, signal } = asked;
  if (opened.counted === null || opened.counted.version < version) {
    const known = readWhole(asked);
    opened.counted = { version, known };
    known.catch(() => {
      if (opened.counted?.known === known) opened.counted = null;
    });
  }
  return (await unlessAborted(opened.counted.known, signal)).shape;
}

async function readKnown(asked: SharedQuestion, before: Promise<KnownShape> | null): Promise<KnownShape> {
  const told = await before?.catch(() => null);
  const recounted = asked.opened.recount?.known;
  const known = told && recounted && recounted.countedAt > told.countedAt ? recounted : told;
  return known ? await readSince(asked, known) : await readWhole(asked);
}

async function readWhole({
  collection,
  opened,
  documentCount,
  askForAll,
}: SharedQuestion): Promise<KnownShape> {
  const countedAt = performance.now();
  const [reply] = await askForAll([
    { size: 0, query: everything, aggs: { kinds: { terms: { field: 'kinds', size: kindsMax } }, last } },
  ]);
  const { kinds, change } = read(reply?.aggregations);
  const { declared, analyzer } = opened;
  const shape = await stepsInTurns(collection.for, Shape.steps(kinds, { declared, analyzer }));
  const keys = new Set(kinds.map(({ key }) => key));
  return { shape, kinds: keys, change, documentCount, isCounted: true, countedAt };
}

async function readSince(asked: SharedQuestion, before: KnownShape): Promise<KnownShape> {
  const { collection, opened, documentCount, askForAll } = asked;
  // Few documents: a column of all values is not read for them.
  const own = { terms: { field: 'kinds', size: kindsMax, execution_hint: 'map' } };
  const [reply] = await askForAll([
    counted({
      size: 0,
      query: { range: { _seq_no: { gt: before.change } } },
      aggs: { kinds: own, last },
    }),
  ]);
  const written = totalOf(reply);
  const since = read(reply?.aggregations);
  const all = new Set([...before.kinds, ...since.kinds.map(({ key }) => key)]);
  // No fewer than were written: none has gone, and none was written over.
  const areAllLeft = documentCount === before.documentCount + written;
  const kinds = areAllLeft ? all : await stillThere(asked, all);
  const isSame = kinds.size === before.kinds.size && [...kinds].every((kind) => before.kinds.has(kind));
  const { declared, analyzer } = opened;
  const views = [...kinds].map((key) => ({ key, doc_count: 1 }));
  const shape = isSame
    ? before.shape
    : await stepsInTurns(collection.for, Shape.steps(views, { declared, analyzer }));
  const change = Math.max(before.change, since.change);
  return { shape, kinds, change, documentCount, isCounted: false, countedAt: before.countedAt };
}

/** All of them where there are more than are asked for: until all documents are counted. */
async function stillThere(
  { askForAll }: SharedQuestion,
  kinds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (kinds.size > askedKindsMax) return kinds;
  const asked = [...kinds];
  const replies = await askForAll(
    asked.map((kind) => counted({ size: 0, terminate_after: 1, query: term('kinds', kind) })),
  );
  return new Set(asked.filter((_, i) => totalOf(replies[i]) > 0));
}

/** Changes of an index are numbered. */
const last = { max: { field: '_seq_no' } };

function read(aggregations: Record<string, unknown> = {}): { kinds: KindCounts; change: number } {
  const { kinds, last } = aggregations as {
    kinds?: { buckets?: KindCounts };
    last?: { value: number | null };
  };
  return { kinds: kinds?.buckets ?? [], change: last?.value ?? -1 };
}

import { unlessAborted } from '#server/indexes/registry/unless-aborted.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { counted, totalOf } from './multi-search.ts';
import type { SharedQuestion } from './opened-index.ts';
import { everything, term } from './query.ts';
import { type KindCounts, type KnownShape, Shape } from './shape.ts';

/** A field has up to six entries. */
const kindsMax = 10_000;
/** Whether documents still have so many kinds is asked kind by kind. */
const askedKindsMax = 64;
/** What came since is not looked at alone for longer: a change may be seen after one with a higher number, and a copy that takes the place of a lost one numbers anew what that one alone had. */
const countedEveryMs = 60_000;

/**
 * What searches need to know of fields. Once it is known, documents that came since are looked at, and where others may have gone or become others, whether any still has what was known:
 * to count all documents after each write takes the longer the more there are.
 */
export function shapeOf(asked: SharedQuestion): Promise<Shape> {
  const { opened, version, signal } = asked;
  const before = opened.shape;
  // One of a later version is no worse: it is of this moment.
  if (before === null || before.version < version || before.until <= Date.now()) {
    const known = readKnown(asked, before?.known ?? null);
    const reading = { version, known, until: Number.POSITIVE_INFINITY };
    opened.shape = reading;
    known.then(
      ({ isCounted, countedAt }) => {
        if (!isCounted) reading.until = countedAt + countedEveryMs;
      },
      () => {
        if (opened.shape === reading) opened.shape = null;
      },
    );
  }
  return shapeIn(opened.shape, signal);
}

async function shapeIn(
  reading: { known: Promise<KnownShape> } | null,
  signal: AbortSignal | undefined,
): Promise<Shape> {
  if (reading === null) throw new Error('the fields of an index are not being read');
  return (await unlessAborted(reading.known, signal)).shape;
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
  return await shapeIn(opened.counted, signal);
}

async function readKnown(asked: SharedQuestion, before: Promise<KnownShape> | null): Promise<KnownShape> {
  const known = await before?.catch(() => null);
  const isRecent = known && Date.now() - known.countedAt < countedEveryMs;
  return (isRecent && (await readSince(asked, known))) || (await readWhole(asked));
}

async function readWhole({
  collection,
  opened,
  documentCount,
  askForAll,
}: SharedQuestion): Promise<KnownShape> {
  const countedAt = Date.now();
  const [reply] = await askForAll([
    { size: 0, query: everything, aggs: { kinds: { terms: { field: 'kinds', size: kindsMax } }, last } },
  ]);
  const { kinds, change } = read(reply?.aggregations);
  const { declared, analyzer } = opened;
  const shape = await stepsInTurns(collection.for, Shape.steps(kinds, { declared, analyzer }));
  const keys = new Set(kinds.map(({ key }) => key));
  return { shape, kinds: keys, change, documentCount, isCounted: true, countedAt };
}

/** Null: all documents have to be counted. */
async function readSince(asked: SharedQuestion, before: KnownShape): Promise<KnownShape | null> {
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
  if (kinds === null) return null;
  const isSame = kinds.size === before.kinds.size && [...kinds].every((kind) => before.kinds.has(kind));
  const { declared, analyzer } = opened;
  const views = [...kinds].map((key) => ({ key, doc_count: 1 }));
  const shape = isSame
    ? before.shape
    : await stepsInTurns(collection.for, Shape.steps(views, { declared, analyzer }));
  const change = Math.max(before.change, since.change);
  return { shape, kinds, change, documentCount, isCounted: false, countedAt: before.countedAt };
}

/** Null: there are more than are asked for. */
async function stillThere(
  { askForAll }: SharedQuestion,
  kinds: ReadonlySet<string>,
): Promise<Set<string> | null> {
  if (kinds.size > askedKindsMax) return null;
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

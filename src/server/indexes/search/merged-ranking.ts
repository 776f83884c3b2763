import type { Candidates, KeywordReading } from '#server/engine/merged-types.ts';
import {
  type Analyzer,
  agreedSides,
  hasWords,
  inUnits,
  nearnessOf,
  readQuery,
  sideWeight,
  similarityUnits,
  sumOfFigures,
  supportedMax,
  takeBest,
} from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { type Member, type MergedMembers, noCandidates } from './merged-members.ts';
import { type Place, reorder, supportEachOther, supportOfList } from './merged-support.ts';

/** Candidates that each collection is asked for at first, if the page may need so many. */
const firstCandidatesMin = 250;

/** Lets the members agree on everything that scores depend on. The words are those that the analyzer finds in the query. */
export async function agree(members: MergedMembers, analyzer: Analyzer): Promise<void> {
  const reading = await readTogether(members, analyzer);
  for (const member of members.all) member.agreement = { ...member.agreement, reading };
  if (members.all.some(({ query }) => query.mode !== 'keyword' || query.relevance))
    await agreeOnSides(members);
}

async function readTogether(members: MergedMembers, analyzer: Analyzer): Promise<KeywordReading | null> {
  const [first] = members.all;
  if (first === undefined || !hasWords(first.query)) return null;
  const reading = readQuery(first.query, analyzer);
  let step = reading.next();
  while (!step.done) {
    const question = step.value;
    const replies = await members.ask(({ query }) => ({ call: 'tellWords', query, question }));
    step = reading.next(sumOfFigures(replies.map(({ reply }) => reply)));
  }
  return step.value;
}

async function agreeOnSides(members: MergedMembers): Promise<void> {
  const replies = await members.ask(({ query, agreement: { reading } }) => ({
    call: 'tellSides',
    query,
    reading,
  }));
  const [first] = replies;
  if (first === undefined) return;
  const { query, target } = first.member;
  const figures = replies.map(({ reply }) => reply);
  const models = replies.map(({ member }) => member.model);
  const units = similarityUnits(figures, models, query.ranking);
  const asked = { ...query, alpha: sideWeight(query), isNear: nearnessOf(query, target.collection) };
  const { neighbours, scales } = agreedSides(figures, asked, units);
  replies.forEach(({ member }, i) => {
    const isScaled = query.mode === 'hybrid' || member.query.relevance;
    const scale = isScaled ? (scales[i] ?? null) : null;
    member.agreement = { ...member.agreement, neighbours: neighbours[i] ?? 0, scale };
    member.unit = query.mode === 'vector' ? (units?.[i] ?? null) : null;
  });
}

/**
 * The places from `offset` to `end` in the order of all: by score, then by collection, then as the collection orders them. Where the best lift each
 * other, they are told first; and where relevance is told of scores, the collections order and count anew.
 */
export async function rankTogether(members: MergedMembers, offset: number, end: number): Promise<Place[]> {
  const weight = supportOfList(members.all);
  const isTold = members.all.some(({ query }) => query.relevance);
  if (weight > 0) {
    const of = isTold ? { relevance: null, facets: [] } : {};
    const known = isTold ? supportedMax : Math.max(end, supportedMax);
    await supportEachOther(members, await bestOfAll(members, known, of), weight);
    if (!isTold) {
      for (const member of members.all) reorder(member);
      return placesOf(members, end).slice(offset);
    }
    for (const member of members.all) member.candidates = noCandidates;
  }
  return (await bestOfAll(members, end)).slice(offset);
}

/**
 * The first of all. A collection is asked for more only while all it has answered stands before the end. Documents may be written and deleted
 * meanwhile: then it may have fewer than it has told of, and it ends where it has nothing new. `of`: as what searches are asked.
 */
async function bestOfAll(
  members: MergedMembers,
  end: number,
  of: Partial<SearchQuery> = {},
): Promise<Place[]> {
  const share = Math.ceil((2 * end) / Math.max(1, members.all.length));
  const limit = Math.min(end, Math.max(firstCandidatesMin, share));
  const ended = new Set<Member>();
  await askForMore(members, members.all, { limit, of });
  for (;;) {
    const taken = new Map<Member, number>();
    const places = placesOf(members, end);
    for (const { member } of places) taken.set(member, (taken.get(member) ?? 0) + 1);
    const short = members.all.filter((member) => {
      const { ids, found } = member.candidates;
      const isTaken = ids.length > 0 && taken.get(member) === ids.length;
      return isTaken && ids.length < Math.min(found, end) && !ended.has(member);
    });
    if (short.length === 0) return places;
    for (const member of await askForMore(members, short, { limit, of })) ended.add(member);
  }
}

/** @returns those that had nothing new */
async function askForMore(
  members: MergedMembers,
  asked: readonly Member[],
  { limit, of }: { limit: number; of: Partial<SearchQuery> },
): Promise<Member[]> {
  const replies = await members.ask(({ query, agreement, candidates: { ids } }) => {
    const facets = ids.length === 0 ? query.facets : [];
    // As many again as there are: few rounds, even for a page far down.
    const part = { offset: ids.length, limit: Math.max(limit, ids.length), facets };
    return { call: 'rankShared', query: { ...query, ...part, ...of }, agreement };
  }, asked);
  return replies.flatMap(({ member, reply }) => {
    const known = member.candidates.ids.length;
    member.candidates = joined(member.candidates, comparable(reply, member));
    return member.candidates.ids.length === known ? [member] : [];
  });
}

/** Similarities of different models in units that they share. */
function comparable(candidates: Candidates, { unit }: Member): Candidates {
  if (unit === null) return candidates;
  return { ...candidates, scores: candidates.scores.map((similarity) => inUnits(similarity, unit)) };
}

/** A document that has moved down meanwhile comes again; its first place stands. */
function joined(known: Candidates, more: Candidates): Candidates {
  if (known.ids.length === 0) return more;
  const ids = new Set(known.ids);
  const isNew = more.ids.map((id) => !ids.has(id));
  const together = (a: Float64Array, b: Float64Array) =>
    Float64Array.of(...a, ...b.filter((_, i) => isNew[i]));
  return {
    ...known,
    ids: [...known.ids, ...more.ids.filter((_, i) => isNew[i])],
    scores: together(known.scores, more.scores),
    relevances: together(known.relevances, more.relevances),
    textMatches: together(known.textMatches, more.textMatches),
    coverages: together(known.coverages, more.coverages),
    areNeighbours: Uint8Array.of(...known.areNeighbours, ...more.areNeighbours.filter((_, i) => isNew[i])),
    fits: known.fits && more.fits && [...known.fits, ...more.fits.filter((_, i) => isNew[i])],
  };
}

/** Of what is known, in the order of all. */
function placesOf({ all }: MergedMembers, end: number): Place[] {
  const order = takeBest(
    all.map(({ candidates }) => candidates.scores),
    end,
  );
  const next = all.map(() => 0);
  const places: Place[] = [];
  for (const number of order) {
    const member = all[number];
    const at = next[number] ?? 0;
    next[number] = at + 1;
    if (member !== undefined) places.push({ member, at });
  }
  return places;
}

import type { Loss } from '#server/engine/search-index.ts';
import type { EngineHit, Pin } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { readSizes } from '#server/indexes/registry/rows.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import type { GroupedHits } from './grouped-hits.ts';
import { keyOf } from './kept-groups.ts';
import { lossesOf } from './losses.ts';
import { type AskSearches, counted, totalOf } from './multi-search.ts';
import { hitsOnPage } from './page-hits.ts';
import { pinnedPlaces } from './pinned-places.ts';
import { groupsOf, passingPins } from './placed-hits.ts';
import { prepareSearch, rank, type SearchParts } from './prepare-search.ts';
import { allOf, among, type Query } from './query.ts';
import type { After, OwnPlace, Ranked } from './ranked.ts';
import { rankedPage } from './ranked-page.ts';
import type { ReadParts } from './read-parts.ts';
import { reportWords } from './search-cluster.ts';

/** Where one document stands in a search, what its score is made of, or all that keeps it out. Its rank is counted page by page from the first hit. */
export async function standingOf(
  { asked, sql, unit }: ReadParts,
  { query, id }: EngineRequest<'standing'>,
): Promise<EngineReply<'standing'>> {
  const { parts, passing } = await prepareSearch(asked, query, { unit, progress: { part: null } });
  const ranked = await rank(parts, passing);
  const pins = await passingPins(parts, passing);
  const groups = await groupsOf(parts, ranked, pins);
  const pinnedIds = pins.map((pin) => pin.id);
  const none = { offset: 0, limit: 0, after: null };
  const { found: others } = await rankedPage(asked.ask, ranked, { ...none, without: pinnedIds });
  const heads = groups && (await rankedPage(asked.ask, groups.heads, { ...none, without: [] }));
  const told = {
    found: groups && heads ? heads.found + groups.pins.length : others + pins.length,
    foundDocuments: groups?.foundDocuments ?? others + pins.length,
    outOf: asked.documentCount,
    ...(await reportWords(parts)),
  };
  const nowhere = { ...told, rank: null, group: null, hit: null };
  if (!(await readSizes(sql, asked.collection.id, [id])).has(id))
    return { ...nowhere, losses: [{ step: 'document' }] };
  const isListed = pinnedIds.includes(id) || (await isAmong(asked.ask, ranked.candidates, id));
  if (!isListed) {
    const irrelevant = await relevanceLoss(parts, passing, id);
    const losses = irrelevant === null ? await lossesOf({ sql, parts, passing }, id) : [irrelevant];
    return { ...nowhere, losses };
  }
  const own = groups && (await standingInGroup(asked.ask, groups, { id, ranked, pins }));
  const list = groups === null ? { ranked, pins } : { ranked: groups.heads, pins: groups.pins };
  const rankOf = await placeOf(asked.ask, list, own?.head ?? id);
  const [hit] = await shownHit({ asked, sql }, { parts, ranked, pins }, id);
  const key = hit && own ? await stepsInTurns(asked.collection.for, keysOf(hit, parts)) : null;
  return {
    ...told,
    rank: rankOf === null ? null : rankOf + 1,
    group: key && own ? { key, found: own.found, rank: own.rank } : null,
    hit: hit?.explanation ? { ...hit, explanation: hit.explanation } : null,
    losses: [],
  };
}

const keysOf = (hit: EngineHit, { query, asked }: SearchParts) =>
  keyOf(hit, query.group?.fields ?? [], asked.opened.declared);

async function isAmong(ask: AskSearches, candidates: Query, id: string): Promise<boolean> {
  const [reply] = await ask([counted({ size: 0, query: allOf([candidates, among('id', [id])]) })]);
  return totalOf(reply) > 0;
}

/** Null: it would not be found without a least relevance either. */
async function relevanceLoss(parts: SearchParts, passing: Query, id: string): Promise<Loss | null> {
  const { relevance } = parts.query;
  if (!relevance || relevance.min === null) return null;
  const query = { ...parts.query, relevance: { ...relevance, min: null } };
  const ranked = await rank({ ...parts, query }, passing);
  if (ranked.told === null || !(await isAmong(parts.asked.ask, ranked.candidates, id))) return null;
  const [hit] = await ranked.these([id]);
  return { step: 'relevance', relevance: ranked.told.relevanceOf(hit?.score ?? 0), min: relevance.min };
}

interface Listed {
  ranked: Pick<Ranked, 'known' | 'others' | 'order'>;
  pins: Pin[];
}

/** From 0, with the pins; null: it has gone meanwhile. */
async function placeOf(ask: AskSearches, { ranked, pins }: Listed, id: string): Promise<number | null> {
  const without = pins.map((pin) => pin.id);
  const none = { offset: 0, limit: 0, without, after: null };
  const places = pinnedPlaces(pins, (await rankedPage(ask, ranked, none)).found);
  const pinned = places.find((pin) => pin.id === id);
  if (pinned !== undefined) return pinned.place;
  const before = await othersBefore(ask, { ranked, without }, id);
  if (before === null) return null;
  return places.reduce((place, pin) => (pin.place <= place ? place + 1 : place), before);
}

const hitsAtOnce = 10_000;

/** Null: it is not in the list. */
async function othersBefore(
  ask: AskSearches,
  { ranked, without }: { ranked: Listed['ranked']; without: string[] },
  id: string,
): Promise<number | null> {
  const pageAfter = (after: After | null) =>
    rankedPage(ask, ranked, { offset: 0, limit: hitsAtOnce, without, after, isCounted: false });
  let own: OwnPlace | null = null;
  let page = await pageAfter(null);
  for (let before = 0; ; before += hitsAtOnce) {
    const place = page.hits.findIndex((hit) => hit.id === id);
    if (place >= 0) return before + place;
    const last = page.hits.at(-1);
    if (last === undefined || page.hits.length < hitsAtOnce) return null;
    own = page.hits.findLast((hit) => hit.own !== null)?.own ?? own;
    page = await pageAfter({ sort: last.sort, own });
  }
}

/** Its group, who heads it, and its own place in it, from 1. */
async function standingInGroup(
  ask: AskSearches,
  groups: GroupedHits,
  { id, ranked, pins }: { id: string; ranked: Ranked; pins: Pin[] },
): Promise<{ head: string; found: number; rank: number }> {
  const group = await groups.groupOf(id);
  if (group === null) return { head: id, found: 1, rank: 1 };
  const { head, found, pinned, within } = group;
  const place = pinned.findIndex((pin) => pin.id === id);
  if (place >= 0) return { head, found, rank: place + 1 };
  const without = pins.map((pin) => pin.id);
  const before = await othersBefore(ask, { ranked: { ...within, order: ranked.order }, without }, id);
  return { head, found, rank: pinned.length + (before ?? 0) + 1 };
}

async function shownHit(
  read: Pick<ReadParts, 'asked' | 'sql'>,
  { parts, ranked, pins }: { parts: SearchParts; ranked: Ranked; pins: Pin[] },
  id: string,
): Promise<(EngineHit | null)[]> {
  const pin = pins.find((each) => each.id === id);
  const hits = await ranked.these([id]);
  const page = hits.map((hit) => ({ ...hit, isPinned: pin !== undefined, pinnedAt: pin?.position ?? null }));
  const query = { ...parts.query, highlightFields: [], isExplained: true };
  const bytesMax = Number.POSITIVE_INFINITY;
  const shown = { query, shown: {}, bytesMax, progress: { part: null } };
  return await hitsOnPage(read, { page, parts, ranked }, shown);
}

import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { prepareSearch, rank } from './prepare-search.ts';
import { allOf, among } from './query.ts';
import { rankedPage } from './ranked-page.ts';
import { hitsOf } from './ranked-words.ts';
import type { ReadParts } from './read-parts.ts';

const anyModel = { base: 0, score: 0, words: 0, nearest: 0 };

/** What a model of relevance is fitted to: figures of the first hits, then of the others that were judged and are found. */
export async function judgedFigures(
  { asked, unit }: ReadParts,
  { query: given, judged, first }: EngineRequest<'judgedFigures'>,
): Promise<EngineReply<'judgedFigures'>> {
  const query = { ...given, relevance: { model: anyModel, min: null } };
  const { parts, passing } = await prepareSearch(asked, query, { unit, progress: { part: null } });
  const ranked = await rank(parts, passing);
  const { told } = ranked;
  if (told === null) return [];
  const page = { offset: 0, limit: first, without: [], after: null };
  const { hits } = await rankedPage(asked.ask, ranked, page);
  const shown = new Set(hits.map(({ id }) => id));
  const wanted = [...new Set(judged)].filter((id) => !shown.has(id));
  const found =
    wanted.length === 0
      ? []
      : await asked.ask([{ size: wanted.length, query: allOf([ranked.candidates, among('id', wanted)]) }]);
  const there = new Set(found.flatMap(hitsOf).map(({ _id }) => _id));
  const others = await ranked.these(wanted.filter((id) => there.has(id)));
  return [...hits, ...others].map(({ id, score }) => ({
    id,
    isFirst: shown.has(id),
    ...told.figuresOf(score),
  }));
}

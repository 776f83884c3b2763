import type { Steps } from '../../steps.ts';
import type { FiguresAsked, JudgedFigures, SearchQuery } from '../../types.ts';
import { find } from '../find.ts';
import { checkNames } from '../names/check-names.ts';
import { orderedPart, rank } from '../rank.ts';
import type { SearchParts } from '../search-parts.ts';

/** What a model of relevance is fitted to: figures of hits of a search, the first ones in their order, then the others that were asked for. @throws as `searchSteps` */
export function* judgedFigures(
  parts: SearchParts,
  query: SearchQuery,
  { judged, first }: FiguresAsked,
): Steps<JudgedFigures[]> {
  checkNames(parts, query);
  const { documents } = parts;
  const findings = yield* find(parts, query, { reading: null, neighbours: null });
  const model = { base: 0, score: 0, words: 0, nearest: 0 };
  const told = { ...query, relevance: { model, min: null } };
  const ranked = yield* rank(parts, told, findings);
  const { figuresOf, candidates } = ranked;
  if (figuresOf === null) return [];
  const best = yield* orderedPart(parts, { ...told, offset: 0, limit: first }, { ranked, findings });
  const shown = new Set(best);
  const others = judged
    .map((id) => documents.ordinalOf(id) ?? -1)
    .filter((ordinal) => ordinal >= 0 && candidates.has(ordinal) && !shown.has(ordinal));
  return [...best, ...new Set(others)].map((ordinal) => ({
    id: documents.idOf(ordinal),
    isFirst: shown.has(ordinal),
    ...figuresOf(ordinal),
  }));
}

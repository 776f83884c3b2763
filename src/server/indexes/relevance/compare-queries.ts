import type { ComparedHits, ComparedKind, ComparedQuery } from '#shared/comparisons.ts';
import type { SearchMode } from '#shared/search.ts';
import { inParallel } from '../search/in-parallel.ts';
import { type AskCollection, findTop, type TopHits } from './find-top.ts';
import { figuresOf } from './list-figures.ts';
import { type JudgedQuery, measurable, searchesAtOnce } from './measure-queries.ts';

/** The collection as it is, and as it would be. */
export interface Ways {
  before: AskCollection;
  after: AskCollection;
}

interface Compared {
  mode: SearchMode;
  judged: readonly JudgedQuery[];
}

/**
 * Asks each judged query that has a relevant document both ways, one right after the other, so that both see the same documents as nearly as can be.
 * @param tell hears how many are done @throws AppError as searches do, the signal's reason
 */
export async function compareQueries(
  ways: Ways,
  { mode, judged }: Compared,
  { signal, tell }: { signal: AbortSignal; tell?: ((done: number, of: number) => void) | undefined },
): Promise<ComparedQuery[]> {
  const asked = measurable(judged);
  let done = 0;
  return await inParallel(asked, { atOnce: searchesAtOnce, signal }, async ({ query, grades }) => {
    const before = await findTop(ways.before, { query, mode }, signal);
    signal.throwIfAborted();
    const after = await findTop(ways.after, { query, mode }, signal);
    done += 1;
    tell?.(done, asked.length);
    return comparedQuery({ query, grades }, before, after);
  });
}

/** What became of one query between two lists. */
export function comparedQuery(
  { query, grades }: JudgedQuery,
  foundBefore: TopHits,
  foundAfter: TopHits,
): ComparedQuery {
  const [before, after] = [toHits(foundBefore, grades), toHits(foundAfter, grades)];
  const judged = [...grades]
    .map(([document, grade]) => ({
      document,
      grade,
      before: placeOf(document, before),
      after: placeOf(document, after),
    }))
    .sort((a, b) => b.grade - a.grade);
  const change = after.ndcg - before.ndcg;
  return { query, kind: kindOf(before, after), change, before, after, judged };
}

function toHits({ found: hits, error }: TopHits, grades: JudgedQuery['grades']): ComparedHits {
  return { ...figuresOf(hits, grades), hits, error };
}

function placeOf(document: string, { hits }: ComparedHits): number | null {
  const at = hits.indexOf(document);
  return at < 0 ? null : at + 1;
}

function kindOf(before: ComparedHits, after: ComparedHits): ComparedKind {
  if (after.hits.length === 0 && before.hits.length > 0) return 'emptied';
  if (before.hits.length === 0 && after.hits.length > 0) return 'rescued';
  if (after.ndcg !== before.ndcg) return after.ndcg > before.ndcg ? 'gained' : 'lost';
  const isSame =
    before.hits.length === after.hits.length && before.hits.every((id, i) => id === after.hits[i]);
  return isSame ? 'same' : 'moved';
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { JudgedQuery, QueryFigures } from '#shared/judgements.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';

/** A judged query, with what the newest measure of the mode says of it; null: it was not in it. */
export interface JudgedRow extends JudgedQuery {
  figures: QueryFigures | null;
}

/** What is judged in a collection and how it was measured. `chosen`: by searches of which mode; null: as it was measured last. */
export function useJudged(collection: number, chosen: SearchMode | null) {
  const { client } = trpc.useUtils();
  const measures = trpc.judgements.measures.useQuery(
    { collection, ...(chosen && { mode: chosen }) },
    { placeholderData: keepPreviousData },
  );
  const queries = useQuery({
    queryKey: [['judgements'], 'all queries', collection],
    queryFn: async ({ signal }) => {
      const all: JudgedQuery[] = [];
      for (let page = 1; all.length < limits.judgedQueriesMax; page += 1) {
        const input = { collection, page, per_page: limits.perPageMax };
        const { queries: some } = await client.judgements.queries.query(input, { signal });
        all.push(...some);
        if (some.length < limits.perPageMax) break;
      }
      return all;
    },
  });
  const error = measures.error ?? queries.error;
  const retry = () => Promise.all([measures.refetch(), queries.refetch()]);
  if (!measures.data || !queries.data) return { error, retry, data: null };
  // What changed and what is judged are asked for apart: one of them may be of before.
  const isSettled = !measures.isFetching && !queries.isFetching;
  const mode = chosen ?? measures.data.measures[0]?.mode ?? 'hybrid';
  // What was told last may be of the mode before.
  const isOfMode = !measures.isPlaceholderData;
  const rows = rowsOf(queries.data, isOfMode ? measures.data.results : []);
  const changes = isOfMode ? measures.data.changes : [];
  return { error, retry, data: { ...measures.data, changes, mode, rows, isSettled } };
}

/** The worst first; what was not measured comes before all. */
function rowsOf(queries: JudgedQuery[], results: QueryFigures[]): JudgedRow[] {
  const measured = new Map(results.map((figures) => [figures.query, figures]));
  return queries
    .map((query) => ({ ...query, figures: measured.get(query.query) ?? null }))
    .sort((a, b) => (a.figures?.ndcg ?? -1) - (b.figures?.ndcg ?? -1));
}

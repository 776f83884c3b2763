import { Select } from '#client/components/later/select.tsx';
import { withoutLeastRelevance } from '#client/lib/tuned-search.ts';
import type { EffectiveRequest } from '#shared/search.ts';
import type { SearchResults } from '../search-results.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';
import classes from './facet-panel.module.css';

const steps = [0.1, 0.25, 0.5, 0.75];

interface LeastRelevanceProps {
  state: SearchState;
  onChange: ChangeSearch;
}

/** What is less relevant is left out. */
export function LeastRelevance({ state, onChange }: LeastRelevanceProps) {
  const least = state.tuned.min_relevance ?? 0;
  // A change that brings a document in names any number.
  const offered = [...new Set([...steps, least])].filter((step) => step > 0).toSorted((a, b) => a - b);
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['legend']}>Relevance</legend>
      <Select
        size="xs"
        aria-label="Least relevance"
        allowDeselect={false}
        data={[
          { value: 0, label: 'Any' },
          ...offered.map((step) => ({ value: step, label: `${String(step)} and more` })),
        ]}
        value={least}
        onChange={(min) => {
          const tuned = withoutLeastRelevance(state.tuned);
          onChange({ tuned: min ? { ...tuned, min_relevance: min } : tuned, page: 1 });
        }}
      />
    </fieldset>
  );
}

/** Whether it can be asked for: hits tell theirs, or none is left that would. */
export function hasRelevance({ hits, request }: Pick<SearchResults, 'hits' | 'request'>): boolean {
  return leastOf(request) !== null || hits.some(({ relevance }) => relevance !== undefined);
}

/** What an answer was narrowed to; null: it was not. */
export function leastOf({ min_relevance: least }: EffectiveRequest): number | null {
  return typeof least === 'number' ? least : null;
}

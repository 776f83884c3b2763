import { Select } from '#client/components/later/select.tsx';
import { type Tuned, withAnyRelevance } from '#client/lib/tuned-search.ts';
import type { EffectiveRequest } from '#shared/search.ts';
import type { SearchResults } from '../search-results.ts';
import type { ChangeSearch } from '../search-state.ts';
import classes from './facet-panel.module.css';

const steps = [0.1, 0.25, 0.5, 0.75];

interface LeastRelevanceProps {
  /** Of what is shown: that of the collection's settings, where the search says none. */
  answered: number;
  tuned: Tuned;
  onChange: ChangeSearch;
}

/** What is less relevant is left out. */
export function LeastRelevance({ answered, tuned, onChange }: LeastRelevanceProps) {
  const least = tuned.min_relevance ?? answered;
  // Settings, and a change that brings a document in, name any number.
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
          onChange({ tuned: min ? { ...tuned, min_relevance: min } : withAnyRelevance(tuned), page: 1 });
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

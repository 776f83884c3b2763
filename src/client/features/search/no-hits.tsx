import { Button, Group, Stack } from '@mantine/core';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { withAnyRelevance } from '#client/lib/tuned-search.ts';
import type { Collection } from '#shared/collections.ts';
import { leastOf } from './facets/least-relevance.tsx';
import { NoDocuments } from './no-documents.tsx';
import { lastPage, type SearchResults } from './search-results.ts';
import { type ChangeSearch, hasFilters } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';
import { demandsOf, withoutDemand } from './understood.ts';

interface NoHitsProps {
  onChange: ChangeSearch;
  results: SearchResults;
  collection: Collection | null;
}

/** Why a list is empty, and what leads out of it. */
export function NoHits({ onChange, results, collection }: NoHitsProps) {
  const { of: state } = results;
  const isNarrowed = hasFilters(state);
  const understood = results.request.understood ?? [];
  const demands = demandsOf(results.request);
  const least = leastOf(results.request);
  if (results.outOf === 0 && collection) return <NoDocuments collection={collection} />;
  if (results.found > 0) return <PastTheEnd last={lastPage(results.found)} onChange={onChange} />;
  return (
    <Stack gap="md">
      <EmptyState
        icon={searchIcon}
        title="No results"
        description={
          state.q.trim() === ''
            ? 'No document passes the filter.'
            : `${least === null ? 'Nothing matches' : `Nothing has a relevance of ${least} or more for`} ${quoted(state.q.trim())}${isNarrowed ? ' within these filters' : ''}.`
        }
      >
        <Group gap="xs" justify="center">
          {least !== null && (
            <Button
              variant="default"
              onClick={() => onChange({ tuned: withAnyRelevance(state.tuned), page: 1 })}
            >
              Any relevance
            </Button>
          )}
          {isNarrowed && (
            <Button
              variant="default"
              onClick={() => onChange({ filter: '', facets: {}, ranges: {}, page: 1 })}
            >
              Clear filters
            </Button>
          )}
          {(understood.length > 0 || demands.length > 0) && (
            <Button
              variant="default"
              onClick={() =>
                onChange({
                  q: demands.reduce(withoutDemand, state.q),
                  skip: [...state.skip, ...understood.map(({ phrase }) => phrase)],
                  page: 1,
                })
              }
            >
              Search for all the words
            </Button>
          )}
          {state.mode === 'keyword' && state.q.trim() !== '' && (
            <Button variant="default" onClick={() => onChange({ mode: 'hybrid', page: 1 })}>
              Search by meaning too
            </Button>
          )}
        </Group>
      </EmptyState>
      <SearchTips />
    </Stack>
  );
}

/** What has quotation marks of its own needs no others. */
const quoted = (q: string): string => (/["“”„]/.test(q) ? q : `“${q}”`);

/** The address names a page that there was once, or never. */
function PastTheEnd({ last, onChange }: { last: number; onChange: ChangeSearch }) {
  return (
    <EmptyState
      icon={searchIcon}
      title="No hits on this page"
      description={`The hits end on page ${formatNumber(last)}.`}
    >
      <Button variant="default" onClick={() => onChange({ page: 1 })}>
        First page
      </Button>
    </EmptyState>
  );
}

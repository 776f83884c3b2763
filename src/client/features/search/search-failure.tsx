import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { failureOf, isUnreachable } from '#client/lib/error-message.ts';
import { useReachability } from '#client/lib/use-reachability.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';
import type { Search } from './use-search.ts';

const RelevanceNotTold = lazy(() =>
  import('./relevance-not-told.tsx').then((module) => ({ default: module.RelevanceNotTold })),
);
interface SearchFailureProps extends Pick<Search, 'results'> {
  state: SearchState;
  onChange: ChangeSearch;
}

/** Why there are no hits, or none of what is asked now. */
export function SearchFailure({ results, state, onChange }: SearchFailureProps) {
  // Said above the page already.
  const isAway = useReachability() !== 'reachable';
  const { details } = failureOf(results.error);
  if (details.some(({ path }) => path === 'min_relevance')) {
    return (
      <Suspense fallback={null}>
        <RelevanceNotTold {...{ state, onChange }} />
      </Suspense>
    );
  }
  if (isAway && isUnreachable(results.error)) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {results.answer
          ? 'These are the hits of before. The search is made by itself once there is an answer.'
          : 'The search is made by itself once there is an answer.'}
      </Text>
    );
  }
  return <ErrorView error={results.error} title="The search failed" onRetry={results.askAgain} />;
}

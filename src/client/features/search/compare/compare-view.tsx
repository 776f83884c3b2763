import { Skeleton, Text } from '@mantine/core';
import { SideBySide } from '#client/components/display/side-by-side.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import { trpc } from '#client/lib/trpc.ts';
import { withoutLeastRelevance } from '#client/lib/tuned-search.ts';
import { type NewestAnswer, useNewestAnswer } from '#client/lib/use-newest-answer.ts';
import type { Collection } from '#shared/collections.ts';
import type { MergedSearchHit, SearchMode } from '#shared/search.ts';
import { type SearchResults, searchCollection, searchCollections } from '../search-results.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';

interface CompareViewProps {
  state: SearchState;
  onChange: ChangeSearch;
  /** `null`: all of `collections`. */
  collection: Collection | null;
  collections: Collection[];
  /** What is wrong with the filter is said below its box. */
  hasFault: boolean;
}

const labels = ['Keyword', 'Hybrid', 'Semantic'];

/** One query by words, by both and by meaning, side by side; the same document is joined, and rows move with the weight. */
export function CompareView(props: CompareViewProps) {
  const answers = [useColumn(props, 'keyword'), useColumn(props, 'hybrid'), useColumn(props, 'vector')];
  return (
    <SideBySide
      order={2}
      columns={labels.map((label, i) => ({
        label,
        rows: (answers[i]?.answer?.hits ?? []).map((hit) => ({
          key: keyOf(hit),
          title: titleOf(hit.id, hit.document),
        })),
        note: <ColumnNote answer={answers[i]} hasFault={props.hasFault} />,
      }))}
      onOpen={(key) => props.onChange({ open: key })}
    />
  );
}

function useColumn(
  { state, collection, collections }: CompareViewProps,
  mode: SearchMode,
): NewestAnswer<SearchResults> {
  const { client } = trpc.useUtils();
  const { open: _, ...asked } = state;
  // The weight moves one column alone, and not every mode tells relevance.
  const alpha = mode === 'hybrid' ? state.alpha : undefined;
  const own: SearchState = { ...asked, mode, alpha, page: 1, tuned: withoutLeastRelevance(state.tuned) };
  const target = collection ? collection.id : collections.map(({ id }) => id);
  return useNewestAnswer({
    key: [['search'], 'compare', own, target],
    collections: collection ? [collection.id] : collections.map(({ id }) => id),
    ask: (signal) =>
      collection
        ? searchCollection(client, { state: own, collection, facets: [] }, signal)
        : searchCollections(client, { state: own, collections }, signal),
  });
}

function keyOf({ collection, id }: MergedSearchHit): string {
  return `${collection.id}/${id}`;
}

interface ColumnNoteProps {
  answer: NewestAnswer<SearchResults> | undefined;
  hasFault: boolean;
}

function ColumnNote({ answer, hasFault }: ColumnNoteProps) {
  if (answer?.error != null && !hasFault) {
    return <ErrorView error={answer.error} title="The search failed" onRetry={answer.askAgain} />;
  }
  if (!answer?.answer && !answer?.error) return <Skeleton height={440} radius="lg" />;
  if (answer.answer?.hits.length !== 0) return null;
  return (
    <Text size="sm" c="dimmed">
      Nothing is found so.
    </Text>
  );
}

import { Skeleton, Text, Title } from '@mantine/core';
import { Fragment, useState } from 'react';
import { JoiningLines } from '#client/components/display/joining-lines.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import { trpc } from '#client/lib/trpc.ts';
import { type NewestAnswer, useNewestAnswer } from '#client/lib/use-newest-answer.ts';
import type { Collection } from '#shared/collections.ts';
import type { MergedSearchHit, SearchMode } from '#shared/search.ts';
import { type SearchResults, searchCollection, searchCollections } from '../search-results.ts';
import { type ChangeSearch, type SearchState, searchDefaults } from '../search-state.ts';
import classes from './compare-view.module.css';

interface CompareViewProps {
  state: SearchState;
  onChange: ChangeSearch;
  /** `null`: all of `collections`. */
  collection: Collection | null;
  collections: Collection[];
  /** What is wrong with the filter is said below its box. */
  hasFault: boolean;
}

const columns: { mode: SearchMode; label: string }[] = [
  { mode: 'keyword', label: 'Keyword' },
  { mode: 'hybrid', label: 'Hybrid' },
  { mode: 'vector', label: 'Semantic' },
];

/** One query by words, by both and by meaning, side by side; the same document is joined, and rows move with the weight. */
export function CompareView(props: CompareViewProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const answers = [useColumn(props, 'keyword'), useColumn(props, 'hybrid'), useColumn(props, 'vector')];
  const keys = answers.map(({ answer }) => answer?.hits.map(keyOf) ?? []);
  return (
    <div className={classes['columns']}>
      {columns.map(({ mode, label }, i) => (
        <Fragment key={mode}>
          {i > 0 && <JoiningLines left={keys[i - 1] ?? []} right={keys[i] ?? []} pointed={pointed} />}
          <Column
            {...props}
            label={label}
            answer={answers[i]}
            others={columns.flatMap((column, j) =>
              j === i ? [] : [{ label: column.label, keys: keys[j] ?? [] }],
            )}
            pointed={pointed}
            onPoint={setPointed}
          />
        </Fragment>
      ))}
    </div>
  );
}

function useColumn(
  { state, collection, collections }: CompareViewProps,
  mode: SearchMode,
): NewestAnswer<SearchResults> {
  const { client } = trpc.useUtils();
  const { open: _, ...asked } = state;
  // The weight moves one column alone.
  const alpha = mode === 'hybrid' ? state.alpha : searchDefaults.alpha;
  const own: SearchState = { ...asked, mode, alpha, page: 1 };
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

interface ColumnProps extends Pick<CompareViewProps, 'onChange' | 'hasFault'> {
  label: string;
  answer: NewestAnswer<SearchResults> | undefined;
  others: { label: string; keys: string[] }[];
  pointed: string | null;
  onPoint: (key: string | null) => void;
}

function Column({ label, answer, others, pointed, onPoint, onChange, hasFault }: ColumnProps) {
  return (
    <section aria-label={label} className={classes['column']}>
      <Title order={2} size="h4" className={classes['label'] ?? ''}>
        {label}
      </Title>
      {answer?.error != null && !hasFault && (
        <ErrorView error={answer.error} title="The search failed" onRetry={answer.askAgain} />
      )}
      {!answer?.answer && !answer?.error && <Skeleton height={440} radius="lg" />}
      {answer?.answer?.hits.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing is found so.
        </Text>
      )}
      <ol aria-label={`${label} hits`} className={classes['list']}>
        {answer?.answer?.hits.map((hit) => {
          const key = keyOf(hit);
          return (
            <li key={key} className={classes['row']} data-pointed={pointed === key || undefined}>
              <button
                type="button"
                onClick={() => onChange({ open: key })}
                onPointerEnter={() => onPoint(key)}
                onPointerLeave={() => onPoint(null)}
                onFocus={() => onPoint(key)}
                onBlur={() => onPoint(null)}
              >
                <span className={classes['title']} dir="auto">
                  {titleOf(hit.id, hit.document)}
                </span>
                <span className={classes['elsewhere']}>
                  {others.map((other) => `${other.label} ${placeIn(other.keys, key)}`).join(' · ')}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function placeIn(keys: string[], key: string): string {
  const at = keys.indexOf(key);
  return at === -1 ? '–' : `#${at + 1}`;
}

import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Bone } from '#client/components/display/bone.tsx';
import { Select } from '#client/components/later/select.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import { laterPart } from '#client/lib/lazy-part.ts';
import type { Collection } from '#shared/collections.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import { hasRelevance } from './facets/least-relevance.tsx';
import { whyBelow } from './hits/explain-order.ts';
import { fittingCount } from './hits/hit-fit.ts';
import { HitRow } from './hits/hit-row.tsx';
import { ScoreSwatch } from './hits/score-bar.tsx';
import { useNearestSentences } from './hits/use-nearest-sentences.ts';
import { useVotes } from './hits/use-votes.ts';
import { LocateButton } from './locate/locate-button.tsx';
import classes from './results.module.css';
import { SearchFailures } from './search-failures.tsx';
import { effectiveMode } from './search-request.ts';
import { type SearchResults, searchedWords } from './search-results.ts';
import { type ChangeSearch, openDocument, type SearchState } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';
import { demandsOf } from './understood.ts';

const StepTimes = laterPart(async () => ({ default: (await import('./step-times.tsx')).StepTimes }));
const NoHits = lazy(() => import('./no-hits.tsx').then((module) => ({ default: module.NoHits })));
const TunedChips = lazy(() => import('./tuned-chips.tsx').then((module) => ({ default: module.TunedChips })));

const UnderstoodChips = lazy(() =>
  import('./understood-chips.tsx').then((module) => ({ default: module.UnderstoodChips })),
);

const CopyAs = laterPart(async () => ({ default: (await import('./code/copy-as.tsx')).CopyAs }));
const Pages = laterPart(async () => ({ default: (await import('./pages.tsx')).Pages }));

interface ResultsProps {
  state: SearchState;
  onChange: ChangeSearch;
  /** Of `state`, or of one before it. */
  results: SearchResults;
  collection: Collection | null;
  collections: Collection[];
  sortFields: string[];
}

export function Results(props: ResultsProps) {
  const { state, onChange, results, collection } = props;
  const { of, hits } = results;
  const hasWords = of.q.trim() !== '';
  const except = collection !== null && hasRelevance(results) ? 'min_relevance' : null;
  return (
    // What they are the hits of, for whoever measures how soon they come.
    <div className={classes['root']} data-query={of.q}>
      <div className={classes['toolbar']} data-toolbar>
        <Group gap="xs">
          <Text size="xs" c="dimmed" role="status" className={classes['summary'] ?? ''}>
            <Summary {...results} />
          </Text>
          <Suspense>
            <StepTimes timeMs={results.timeMs} timings={results.timings} />
          </Suspense>
        </Group>
        <Group gap="xs" className={classes['tools'] ?? ''}>
          {collection && hasWords && (
            <LocateButton state={state} collection={collection} onChange={onChange} />
          )}
          <Suspense>
            <CopyAs state={state} collection={collection} collections={props.collections} />
          </Suspense>
          {collection && props.sortFields.length > 0 && <SortSelect {...props} />}
        </Group>
      </div>
      {Object.keys(state.tuned).some((name) => name !== except) && (
        <Suspense fallback={<div className={classes['chips']} />}>
          <TunedChips state={state} onChange={onChange} except={except} />
        </Suspense>
      )}
      {results.request.without_meaning && (
        <Text size="xs" c="dimmed" role="note">
          Only words were compared. {results.request.without_meaning}
        </Text>
      )}
      {results.request.without_cluster && (
        <Text size="xs" c="dimmed" role="note">
          {results.request.without_cluster}.
        </Text>
      )}
      {isUnderstood(props) && (
        <Suspense fallback={<div className={classes['chips']} />}>
          <UnderstoodChips
            state={state}
            onChange={onChange}
            parts={results.request.understood ?? []}
            demands={demandsOf(results.request)}
            corrections={results.request.corrected_tokens ?? []}
          />
        </Suspense>
      )}
      {results.failures.length > 0 && <SearchFailures state={of} failures={results.failures} />}
      {hits.length === 0 ? (
        <Suspense fallback={null}>
          <NoHits onChange={onChange} results={results} collection={collection} />
        </Suspense>
      ) : (
        <HitList {...props} />
      )}
      <Suspense>
        <Pages results={results} onChange={onChange} />
      </Suspense>
      {hasWords && hits.length > 0 && hits.length < 4 && (
        <Box mt="md">
          <SearchTips />
        </Box>
      )}
    </div>
  );
}

/** Something of the query is more than words, or could be. */
function isUnderstood({ state, results }: ResultsProps): boolean {
  const { request } = results;
  const { understood = [], corrected_tokens: corrections = [] } = request;
  return understood.length + state.skip.length + corrections.length + demandsOf(request).length > 0;
}

/** What fits, and, set apart, what is only closest. */
function HitList({ state, onChange, results, collection }: ResultsProps) {
  const { of, hits } = results;
  const [explained, setExplained] = useState<string | null>(null);
  const opened = openDocument(state);
  const sentences = useNearestSentences(results);
  const { votes, said } = useVotes(results, collection !== null);
  // In an order of fields what fits does not come first.
  const words = searchedWords(results);
  const fitting = words === '' || of.sort !== '' ? null : fittingCount(hits);
  const fullScore = words === '' ? null : fullOf(results);
  const rowOf = (hit: MergedSearchHit, i: number) => {
    const key = `${hit.collection.id}/${hit.id}`;
    const above = hits[i - 1];
    return (
      <HitRow
        key={key}
        hit={hit}
        sentence={sentences.get(key)?.text ?? null}
        isNamed={collection === null}
        fullScore={fullScore}
        isOpen={opened?.id === hit.id && opened.collection === hit.collection.id}
        onOpen={() => onChange({ open: key })}
        isExplained={explained === key}
        onExplain={() => setExplained(explained === key ? null : key)}
        votes={votes}
        below={
          above && of.sort === ''
            ? whyBelow({ ...above, title: titleOf(above.id, above.document) }, hit)
            : null
        }
      />
    );
  };
  const aloud = <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>;
  if (fitting === null) {
    return (
      <>
        {aloud}
        <ol aria-label="Hits" className={classes['hits']}>
          {hits.map(rowOf)}
        </ol>
      </>
    );
  }
  return (
    <>
      {aloud}
      {fitting > 0 && (
        <ol aria-label="Hits" className={classes['hits']}>
          {hits.slice(0, fitting).map(rowOf)}
        </ol>
      )}
      <Text
        component="p"
        size="sm"
        className={classes['apart'] ?? ''}
        role={results.nothingFits ? 'status' : undefined}
      >
        {results.nothingFits
          ? `Nothing fits “${words}” well. These are only the closest:`
          : 'From here on only loosely related:'}
      </Text>
      <ol
        aria-label={fitting === 0 ? 'Hits' : 'Loosely related'}
        start={fitting + 1}
        className={classes['hits']}
        data-loose
      >
        {hits.slice(fitting).map((hit, i) => rowOf(hit, fitting + i))}
      </ol>
    </>
  );
}

/** The score of a full bar: 1 where scores are weighed sums, otherwise the best on the page. */
function fullOf({ of, hits }: SearchResults): number {
  return effectiveMode(of) === 'hybrid' ? 1 : Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
}

function Summary(results: SearchResults) {
  const { of, found, outOf } = results;
  if (searchedWords(results) === '') return <Documents count={found} />;
  switch (effectiveMode(of)) {
    case 'keyword':
      return (
        <>
          {formatNumber(found)} of <Documents count={outOf} />
        </>
      );
    case 'vector':
      return (
        <>
          Most similar of <Documents count={outOf} />
        </>
      );
    case 'hybrid':
      return (
        <>
          Best of <Documents count={outOf} />
          <span className={classes['told']}>
            {' '}
            by <ScoreSwatch side="words" />
            words and <ScoreSwatch side="meaning" />
            meaning
          </span>
        </>
      );
  }
}

function Documents({ count }: { count: number }) {
  return (
    <>
      {formatNumber(count)}
      <span className={classes['told']}> {count === 1 ? 'document' : 'documents'}</span>
    </>
  );
}

function SortSelect({ state, onChange, sortFields }: ResultsProps) {
  return (
    <Select
      size="xs"
      className={classes['sort'] ?? ''}
      aria-label="Sort by"
      allowDeselect={false}
      data={[
        { value: '', label: state.q.trim() === '' ? 'In order of id' : 'Most relevant first' },
        ...sortFields.flatMap((field) => [
          { value: `${field}:asc`, label: `${fieldLabel(field)}, ascending` },
          { value: `${field}:desc`, label: `${fieldLabel(field)}, descending` },
        ]),
      ]}
      value={state.sort}
      onChange={(sort) => onChange({ sort: sort ?? '', page: 1 })}
    />
  );
}

/** In the shape of what comes. */
export function ResultsSkeleton() {
  return (
    <div aria-hidden="true" className={classes['root']}>
      <div className={classes['toolbar']} data-toolbar>
        <Bone height={14} width="14rem" />
      </div>
      <div className={classes['hits']}>
        {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((key) => (
          <div key={key} className={classes['waiting']}>
            <Bone height={14} width="35%" marginBottom={10} />
            <Bone height={10} marginBottom={8} />
            <Bone height={10} width="70%" marginBottom={10} />
            <Bone height={8} width="45%" />
          </div>
        ))}
      </div>
    </div>
  );
}

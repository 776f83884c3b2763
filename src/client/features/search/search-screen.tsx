import { Alert, Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { FilterBox } from '#client/components/filter/filter-box.tsx';
import { type FilterFault, filterFault } from '#client/components/filter/filter-fault.ts';
import { failureOf } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { laterPart } from '#client/lib/lazy-part.ts';
import { withoutLeastRelevance } from '#client/lib/tuned-search.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { CollectionPanel } from './collection-panel.tsx';
import { FacetSkeleton } from './facets/facet-skeleton.tsx';
import { hasRelevance, leastOf } from './facets/least-relevance.tsx';
import { useHitKeys } from './hits/use-hit-keys.ts';
import { Results, ResultsSkeleton } from './results.tsx';
import { SearchBar } from './search-bar.tsx';
import { SearchFailure } from './search-failure.tsx';
import { effectiveState } from './search-questions.ts';
import { typedPosition } from './search-request.ts';
import { hasCount } from './search-results.ts';
import classes from './search-screen.module.css';
import { type ChangeSearch, openDocument, type SearchState } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';
import { type Search, useSearch } from './use-search.ts';
import { type TypedPart, useTypedSearch } from './use-typed-search.ts';

/** Fetched beside the first search, whose answer they wait for. */
const FacetPanel = lazy(() =>
  import('./facets/facet-panel.tsx').then((module) => ({ default: module.FacetPanel })),
);
const DocumentPanel = laterPart(async () => ({
  default: (await import('./hits/document-panel.tsx')).DocumentPanel,
}));
const NoDocuments = lazy(() =>
  import('./no-documents.tsx').then((module) => ({ default: module.NoDocuments })),
);
const InactiveCollection = lazy(() =>
  import('./inactive-collection.tsx').then((module) => ({ default: module.InactiveCollection })),
);
const CompareView = lazy(() =>
  import('./compare/compare-view.tsx').then((module) => ({ default: module.CompareView })),
);

interface SearchScreenProps {
  state: SearchState;
  onChange: ChangeSearch;
  /** What can be chosen. */
  collections: Collection[];
}

/** The search box, what narrows a search, and its results. */
export function SearchScreen({ state, onChange, collections }: SearchScreenProps) {
  const collection = collections.find(({ id }) => id === state.collection) ?? null;
  const active = collections.filter(({ isActive }) => isActive);
  const searched = active.slice(0, limits.mergedCollectionsMax);
  const { typed, type, ahead, commitNow } = useTypedSearch(state, onChange);
  useHitKeys();
  const search = useSearch({ state: effectiveState(ahead), collection, collections: searched });
  const { results, shape, hasWork } = search;
  // What is being typed is not judged by what was typed before.
  const isJudged = ahead.filter === typed.filter;
  const fault = isJudged ? filterFault(detailsOf(results), (at) => typedPosition(ahead, at)) : null;
  const typeInto = (change: Partial<TypedPart>) => {
    type(change);
    // Relevance is told by the collection's own weight alone.
    if (change.alpha !== undefined && state.tuned.min_relevance !== undefined) {
      onChange({ tuned: withoutLeastRelevance(state.tuned) }, { replace: true });
    }
  };
  const submit = () => {
    if (!commitNow() && hasWork) results.askAgain();
  };
  const openAt = (at: { collection: number; id: string }) => onChange({ open: `${at.collection}/${at.id}` });
  return (
    <div className={classes['screen']}>
      <SearchBar
        {...{ state, onChange, typed, collections }}
        alpha={results.answer?.request.alpha}
        onType={typeInto}
        onSubmit={submit}
      >
        <FilterBox
          text={typed.filter}
          onType={(filter) => type({ filter })}
          fault={fault}
          fields={shape.data?.fields ?? []}
        />
      </SearchBar>
      {state.collection !== undefined && !collection && (
        <Note>
          The collection in this link is not among yours here; all collections are searched instead.
        </Note>
      )}
      {!collection && active.length > searched.length && (
        <Note>
          {`The first ${formatNumber(searched.length)} of ${formatNumber(active.length)} collections are searched. Choose a project or a collection to search others.`}
        </Note>
      )}
      {shape.isError && !results.error && (
        <ErrorView
          error={shape.error}
          title="The fields to narrow and sort by could not be loaded"
          onRetry={shape.refetch}
        />
      )}
      {results.error != null && results.answer && !fault && (
        <SearchFailure {...{ results, onChange }} state={ahead} />
      )}
      <SearchColumns {...{ ahead, onChange, search, fault, collection }} collections={searched} />
      <Suspense>
        <DocumentPanel
          document={openDocument(state)}
          results={results.answer}
          onOpen={openAt}
          onClose={() => onChange({ open: undefined })}
        />
      </Suspense>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />}>
      {children}
    </Alert>
  );
}

/** What the server says about the parameters, in a refusal of the search or of all collections that hold documents. */
function detailsOf({ error, answer, isCurrent }: Search['results']) {
  if (error) return failureOf(error).details;
  // Where documents were searched, the collections that were not are named above the hits.
  if (!isCurrent || answer?.outOf) return [];
  return answer?.failures.flatMap(({ details }) => details) ?? [];
}

interface ColumnsProps {
  /** What is searched for: the address, with what was typed since. */
  ahead: SearchState;
  onChange: ChangeSearch;
  search: Search;
  fault: FilterFault | null;
  collection: Collection | null;
  collections: Collection[];
}

/** What narrows the results, and the results. The first column keeps its place while it is not known what stands in it. */
function SearchColumns(props: ColumnsProps) {
  const { ahead, search, collection, collections } = props;
  const { shape, results, hasWork } = search;
  const fields = shape.data?.facets ?? [];
  const isCompared = ahead.view === 'compare' && ahead.q.trim() !== '';
  // Nothing is on its way that they would be counted of.
  const isCounted = collection === null ? results.answer !== undefined : countedAnswer(results) !== undefined;
  const hasNone = !isCounted && results.error != null && !results.isFetching;
  const isNarrowed = !isCompared && !hasNone;
  const isTold = results.answer !== undefined && hasRelevance(results.answer);
  const hasFacets =
    isNarrowed && collection?.isActive === true && (shape.isPending || fields.length > 0 || isTold);
  const hasCollections = isNarrowed && collection === null && collections.length > 1 && hasWork;
  return (
    <div className={classes['columns']} data-facets={hasFacets || hasCollections || undefined}>
      {(hasFacets || hasCollections) && (
        <div className={classes['aside']}>
          <Narrowing {...props} />
        </div>
      )}
      <section
        id="search-results"
        tabIndex={-1}
        aria-label="Results"
        aria-busy={results.isFetching}
        className={classes['results']}
      >
        <ResultsOrWhyNot key={ahead.collection ?? 'all'} {...props} />
      </section>
    </div>
  );
}

/** The first hits of a collection come without counts, and are asked for again with them. */
function countedAnswer({ answer, isCurrent }: Search['results']) {
  return isCurrent || answer?.facets.length !== 0 ? answer : undefined;
}

function Narrowing({ ahead, onChange, search, collection }: ColumnsProps) {
  const answer = collection ? countedAnswer(search.results) : search.results.answer;
  if (!collection) {
    const byCollection = answer?.byCollection ?? [];
    if (byCollection.length === 0) return null;
    return (
      <CollectionPanel
        counts={byCollection}
        hasCounts={answer !== undefined && hasCount(answer)}
        onChoose={({ id }) => onChange({ collection: id, facets: {}, ranges: {}, page: 1 })}
      />
    );
  }
  const fields = search.shape.data?.facets;
  if (!fields || !answer) return <FacetSkeleton />;
  return (
    <Suspense fallback={<FacetSkeleton />}>
      <FacetPanel
        fields={fields}
        counts={answer.facets}
        leastRelevance={hasRelevance(answer) ? (leastOf(answer.request) ?? 0) : null}
        counted={hasCount(answer) ? '' : 'Counted among the best matches'}
        state={ahead}
        onChange={onChange}
      />
    </Suspense>
  );
}

function ResultsOrWhyNot({ ahead, onChange, search, fault, collection, collections }: ColumnsProps) {
  const { results, shape, hasWork } = search;
  const { answer, error } = results;
  if (collection && !collection.isActive) {
    return (
      <Suspense fallback={null}>
        <InactiveCollection collection={collection} />
      </Suspense>
    );
  }
  if (ahead.view === 'compare' && ahead.q.trim() !== '') {
    return (
      <Suspense fallback={<ResultsSkeleton />}>
        <CompareView {...{ onChange, collection, collections }} state={ahead} hasFault={fault !== null} />
      </Suspense>
    );
  }
  if (!hasWork && !collection) return <BeforeWords collections={collections} />;
  if (!answer && error && !fault) return <SearchFailure {...{ results, onChange }} state={ahead} />;
  if (!answer) return fault ? <Unread onChange={onChange} /> : <ResultsSkeleton />;
  if (fault && results.isCurrent && answer.outOf === 0) return <Unread onChange={onChange} />;
  return (
    <Results
      state={ahead}
      onChange={onChange}
      results={answer}
      collection={collection}
      collections={collections}
      sortFields={shape.data?.sortFields ?? []}
    />
  );
}

/** A link with a filter that cannot be read: there are no hits from before. */
function Unread({ onChange }: Pick<ColumnsProps, 'onChange'>) {
  return (
    <EmptyState
      icon={alertTriangleIcon}
      title="The filter cannot be read"
      description="What is wrong with it stands below its box."
    >
      <Button variant="default" onClick={() => onChange({ filter: '', page: 1 })}>
        Search without it
      </Button>
    </EmptyState>
  );
}

/** Before the first words over all collections: what to type, or what is missing. */
function BeforeWords({ collections }: { collections: Collection[] }) {
  if (collections.every(({ documentCount }) => documentCount === 0)) {
    return (
      <Suspense fallback={<ResultsSkeleton />}>
        <NoDocuments collection={null} />
      </Suspense>
    );
  }
  return <SearchTips />;
}

import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, fileTextIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { failureOf } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { CollectionPanel } from './collection-panel.tsx';
import { FacetPanel } from './facet-panel.tsx';
import { FilterBox, type FilterFault, filterFault } from './filter-box.tsx';
import { Results, ResultsSkeleton } from './results.tsx';
import { SearchBar } from './search-bar.tsx';
import classes from './search-screen.module.css';
import type { ChangeSearch, SearchState } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';
import { useSearch } from './use-search.ts';

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
  const search = useSearch({ state, collection, collections: searched });
  const { results, shape, hasWork } = search;
  const fault = filterFault(state, detailsOf(results));
  return (
    <Stack gap="md">
      <SearchBar
        state={state}
        onChange={onChange}
        onRepeat={() => hasWork && results.refetch()}
        collections={collections}
      />
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
      <FilterBox state={state} onChange={onChange} fault={fault} />
      {shape.isError && !results.isError && (
        <ErrorView
          error={shape.error}
          title="The fields to narrow and sort by could not be loaded"
          onRetry={shape.refetch}
        />
      )}
      <SearchColumns
        state={state}
        onChange={onChange}
        search={search}
        fault={fault}
        collection={collection}
        collections={searched}
      />
    </Stack>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />}>
      {children}
    </Alert>
  );
}

/** What the server says about the parameters, in a refusal of the search or of some collections' part of it. */
function detailsOf(results: UseSearch['results']): ErrorDetail[] {
  if (results.isError) return failureOf(results.error).details;
  // Where documents were searched, the collections that were not are named above the hits.
  if (results.isPlaceholderData || results.data?.outOf) return [];
  return results.data?.failures.flatMap(({ details }) => details) ?? [];
}

type UseSearch = ReturnType<typeof useSearch>;

interface ColumnsProps extends Pick<SearchScreenProps, 'state' | 'onChange'> {
  search: UseSearch;
  fault: FilterFault | null;
  collection: Collection | null;
  collections: Collection[];
}

/** What narrows the results, and the results. */
function SearchColumns(props: ColumnsProps) {
  const { state, onChange, search, collection } = props;
  const { data, isFetching } = search.results;
  const facets = data?.facets ?? [];
  const hasFacets =
    collection !== null &&
    (facets.some(({ counts }) => counts.length > 0) || Object.keys(state.facets).length > 0);
  const byCollection = data?.byCollection ?? [];
  const hasCollections = collection === null && byCollection.length > 1;
  return (
    <div className={classes['columns']} data-facets={hasFacets || hasCollections || undefined}>
      {hasFacets && (
        <FacetPanel
          facets={facets}
          narrowFacets={data?.narrowFacets ?? []}
          ticked={state.facets}
          onChange={(facets) => onChange({ facets, page: 1 })}
        />
      )}
      {hasCollections && (
        <CollectionPanel
          counts={byCollection}
          onChoose={({ id }) => onChange({ collection: id, facets: {}, page: 1 })}
        />
      )}
      <section aria-label="Results" aria-busy={isFetching} className={classes['results']}>
        <ResultsOrWhyNot {...props} />
      </section>
    </div>
  );
}

function ResultsOrWhyNot({ state, onChange, search, fault, collection, collections }: ColumnsProps) {
  const { results, shape, hasWork } = search;
  if (!hasWork && !results.data) return <Waiting collection={collection} collections={collections} />;
  if (results.isError && !fault)
    return <ErrorView error={results.error} title="The search failed" onRetry={results.refetch} />;
  if (!results.data) return results.isError ? null : <ResultsSkeleton />;
  if (fault && results.data.outOf === 0) return null;
  return (
    <Results
      state={state}
      onChange={onChange}
      // What is wrong with the filter is said there.
      results={fault ? { ...results.data, failures: [] } : results.data}
      isStale={results.isPlaceholderData || fault !== null}
      collection={collection}
      collections={collections}
      sortFields={shape.data?.sortFields ?? []}
    />
  );
}

/** Before the first words: what to type, or what is missing. */
function Waiting({ collection, collections }: { collection: Collection | null; collections: Collection[] }) {
  if (collection) return <ResultsSkeleton />;
  if (collections.every(({ documentCount }) => documentCount === 0)) {
    return (
      <EmptyState
        icon={fileTextIcon}
        title="No documents yet"
        description="Upload a JSON or NDJSON file, then search it here."
      >
        <ButtonLink to="/collections" leftSection={<Icon shape={uploadIcon} />}>
          Upload Documents
        </ButtonLink>
      </EmptyState>
    );
  }
  return <SearchTips />;
}

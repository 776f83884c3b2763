import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { ButtonLink } from '#client/components/display/links.tsx';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { useCreateDialogs } from '#client/components/shell/create-dialogs.tsx';
import { failureOf } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { CollectionPanel } from './collection-panel.tsx';
import { FacetPanel } from './facet-panel.tsx';
import { FilterBox, filterFault } from './filter-box.tsx';
import { Results, ResultsSkeleton } from './results.tsx';
import { SearchBar } from './search-bar.tsx';
import classes from './search-page.module.css';
import type { ChangeSearch, SearchState } from './search-state.ts';
import { SearchTips } from './search-tips.tsx';
import { useSearch } from './use-search.ts';

interface SearchPageProps {
  state: SearchState;
  onChange: ChangeSearch;
}

/** 'Vector Search': one collection, or all of the chosen project or workspace. */
export function SearchPage({ state, onChange }: SearchPageProps) {
  const { workspace, project, isLoading } = useWorkspace();
  const { open } = useCreateDialogs();
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  const header = (
    <PageHeader
      title="Vector Search"
      description="Search your documents by their words, by what they mean, or both."
    />
  );
  if (list.isError) {
    return (
      <>
        {header}
        <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />
      </>
    );
  }
  if (!list.data) {
    return (
      <>
        {header}
        {workspace || isLoading ? (
          <Skeleton height={96} radius="lg" />
        ) : (
          <EmptyState
            icon="workspace"
            title="Select a Workspace"
            description="Collections live in the projects of a workspace. Choose one at the top of the page, or make a new one."
          >
            <Button onClick={() => open({ kind: 'create-workspace' })}>New Workspace</Button>
          </EmptyState>
        )}
      </>
    );
  }
  const inReach = list.data.filter(
    ({ id, projectId }) => !project || projectId === project.id || id === state.collection,
  );
  return (
    <>
      {header}
      {inReach.length === 0 ? (
        <EmptyState
          icon="collection"
          title="Nothing to search yet"
          description="Create a collection and upload documents; they can be searched at once."
        >
          <Button leftSection={<Icon name="plus" />} onClick={() => open({ kind: 'create-collection' })}>
            Create Collection
          </Button>
        </EmptyState>
      ) : (
        <SearchScreen state={state} onChange={onChange} collections={inReach} />
      )}
    </>
  );
}

function SearchScreen(props: SearchPageProps & { collections: Collection[] }) {
  const { state, onChange, collections } = props;
  const collection = collections.find(({ id }) => id === state.collection) ?? null;
  const isGone = state.collection !== undefined && collection === null;
  const active = collections.filter(({ isActive }) => isActive);
  const { results, sortFields, hasWork } = useSearch({ state, collection, collections: active });
  const fault = filterFault(
    state,
    results.isError
      ? failureOf(results.error).details
      : ((results.isPlaceholderData ? undefined : results.data)?.failures.flatMap(({ details }) => details) ??
          []),
  );
  const facets = results.data?.facets ?? [];
  const hasFacets =
    collection !== null &&
    (facets.some(({ counts }) => counts.length > 0) || Object.keys(state.facets).length > 0);

  const byCollection = results.data?.byCollection ?? [];
  const hasCollections = collection === null && byCollection.length > 1;

  return (
    <Stack gap="md">
      <SearchBar
        state={state}
        onChange={onChange}
        onRepeat={() => hasWork && results.refetch()}
        collections={collections}
      />
      {isGone && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          The collection in this link is not among yours here; all collections are searched instead.
        </Alert>
      )}
      <FilterBox state={state} onChange={onChange} fault={fault} />
      <div className={classes['columns']} data-facets={hasFacets || hasCollections || undefined}>
        {hasFacets && (
          <FacetPanel
            facets={facets}
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
        <section aria-label="Results" aria-busy={results.isFetching} className={classes['results']}>
          {!hasWork && !results.data ? (
            <Waiting collection={collection} collections={active} />
          ) : results.isError && !fault ? (
            <ErrorView error={results.error} title="The search failed" onRetry={results.refetch} />
          ) : results.data ? (
            <Results
              state={state}
              onChange={onChange}
              results={results.data}
              isStale={results.isPlaceholderData || fault !== null}
              collection={collection}
              collections={active}
              sortFields={sortFields}
            />
          ) : results.isError ? null : (
            <ResultsSkeleton />
          )}
        </section>
      </div>
    </Stack>
  );
}

/** Before the first words: what to type, or what is missing. */
function Waiting({ collection, collections }: { collection: Collection | null; collections: Collection[] }) {
  if (collection) return <ResultsSkeleton />;
  if (collections.every(({ documentCount }) => documentCount === 0)) {
    return (
      <EmptyState
        icon="document"
        title="No documents yet"
        description="Upload a JSON or NDJSON file, then search it here."
      >
        <ButtonLink to="/collections" leftSection={<Icon name="upload" />}>
          Upload Documents
        </ButtonLink>
      </EmptyState>
    );
  }
  return <SearchTips />;
}

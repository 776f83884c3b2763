import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { SearchScreen } from './search-screen.tsx';
import type { ChangeSearch, SearchState } from './search-state.ts';

/** Most often there are some. */
const NoCollections = lazy(async () => ({
  default: (await import('#client/components/feedback/no-collections.tsx')).NoCollections,
}));

interface SearchPageProps {
  state: SearchState;
  onChange: ChangeSearch;
}

/** 'Vector Search': one collection, or all of the chosen project or workspace. */
export function SearchPage(props: SearchPageProps) {
  return (
    <>
      {/* The frame shows where the reader is; the box is what this page begins with. */}
      <VisuallyHidden component="h1" tabIndex={-1}>
        Vector Search
      </VisuallyHidden>
      <SearchContent {...props} />
    </>
  );
}

function SearchContent({ state, onChange }: SearchPageProps) {
  const { workspace, project, isLoading } = useWorkspace();
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />;
  if (!workspace && !isLoading) return <NoWorkspace />;
  if (!list.data) return <Skeleton height={96} radius="lg" />;
  const inReach = list.data.filter(
    ({ id, projectId }) => !project || projectId === project.id || id === state.collection,
  );
  if (inReach.length === 0) {
    return (
      <Suspense fallback={<Skeleton height={96} radius="lg" />}>
        <NoCollections title="Nothing to search yet" {...(project && { projectId: project.id })} />
      </Suspense>
    );
  }
  return <SearchScreen state={state} onChange={onChange} collections={inReach} />;
}

import { SimpleGrid, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { CardGridSkeleton } from '#client/components/display/card-grid-skeleton.tsx';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Pager } from '#client/components/display/pager.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { DeleteCollectionDialog } from '#client/components/feedback/delete-collection-dialog.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { matches } from '#client/lib/matches.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { CollectionCard } from './collection-card.tsx';
import { type CollectionsState, inOrder } from './collection-order.ts';

const CollectionTable = lazy(() =>
  import('./collection-table.tsx').then((module) => ({ default: module.CollectionTable })),
);

interface CollectionListProps {
  state: CollectionsState;
  onPageChange: (page: number) => void;
  onUpload: (collection: Collection) => void;
}

/** The collections that the filter leaves, a page at a time, as cards or as a table. */
export function CollectionList({ state, onPageChange, onUpload }: CollectionListProps) {
  const { open } = useDialogs();
  const { workspace, project, projects, isLoading } = useWorkspace();
  const [toDelete, setToDelete] = useState<Collection | null>(null);
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  if (!workspace && !isLoading) return <NoWorkspace />;
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />;
  if (!list.data)
    return state.view === 'list' ? <TableSkeleton /> : <CardGridSkeleton cardHeight="13.5rem" />;

  const found = list.data.filter(
    (collection) => (!project || collection.projectId === project.id) && matches(collection, state.q),
  );
  if (found.length === 0) return <NothingFound query={state.q.trim()} />;
  const { shown, page, pages } = pageOf(inOrder(found, state.sort), state.page);
  const projectNameOf = ({ projectId }: Collection) =>
    projects.find(({ id }) => id === projectId)?.name ?? null;
  const onEdit = (collection: Collection) => open('edit-collection', { collection });
  return (
    <Stack>
      {state.view === 'list' ? (
        <Suspense fallback={<TableSkeleton />}>
          <CollectionTable
            collections={shown}
            projectNameOf={projectNameOf}
            onEdit={onEdit}
            onDelete={setToDelete}
            onUpload={onUpload}
          />
        </Suspense>
      ) : (
        <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} p={0} m={0}>
          {shown.map((collection) => (
            <CollectionCard
              key={collection.id}
              collection={collection}
              projectName={projectNameOf(collection)}
              onEdit={() => onEdit(collection)}
              onDelete={() => setToDelete(collection)}
              onUpload={() => onUpload(collection)}
            />
          ))}
        </SimpleGrid>
      )}
      <Pager page={page} pages={pages} total={found.length} noun="collections" onChange={onPageChange} />
      <DeleteCollectionDialog collection={toDelete} onClose={() => setToDelete(null)} />
    </Stack>
  );
}

function NothingFound({ query }: { query: string }) {
  if (!query) return <NoCollections />;
  return (
    <EmptyState
      icon={searchIcon}
      title="No collections found"
      description={`No collection's name or description contains “${query}”.`}
    />
  );
}

import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, searchIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { matches } from '#client/lib/matches.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { CollectionCard } from './collection-card.tsx';
import { DeleteCollectionDialog } from './delete-collection-dialog.tsx';

interface CollectionsPageProps {
  /** Filters by name or description. */
  query: string;
  onQueryChange: (query: string) => void;
  /** Opens the upload; `null`: the reader chooses the collection there. */
  onUpload: (collection: Collection | null) => void;
}

/** The collections of the chosen project, or of the whole workspace where none is chosen. */
export function CollectionsPage({ query, onQueryChange, onUpload }: CollectionsPageProps) {
  const { open } = useDialogs();
  const { workspace, project } = useWorkspace();
  return (
    <>
      <PageHeader
        title="Collections"
        description={
          project
            ? `In the project ${project.name}`
            : workspace
              ? `All projects of the workspace ${workspace.name}`
              : undefined
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<Icon shape={uploadIcon} />}
              onClick={() => onUpload(null)}
            >
              Upload Documents
            </Button>
            <Button leftSection={<Icon shape={plusIcon} />} onClick={() => open('create-collection')}>
              Create Collection
            </Button>
          </>
        }
      />
      <Stack>
        <SearchField label="Search collections" value={query} onChange={onQueryChange} />
        <CollectionGrid query={query} onUpload={onUpload} />
      </Stack>
    </>
  );
}

function CollectionGrid({ query, onUpload }: Pick<CollectionsPageProps, 'query' | 'onUpload'>) {
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
  if (!list.data) return <GridSkeleton />;

  const shown = list.data.filter(
    (collection) => (!project || collection.projectId === project.id) && matches(collection, query),
  );
  if (shown.length === 0) {
    return query.trim() ? (
      <EmptyState
        icon={searchIcon}
        title="No collections found"
        description={`No collection's name or description contains “${query.trim()}”.`}
      />
    ) : (
      <NoCollections />
    );
  }
  return (
    <>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} p={0} m={0}>
        {shown.map((collection) => (
          <CollectionCard
            key={collection.id}
            collection={collection}
            projectName={projects.find(({ id }) => id === collection.projectId)?.name ?? null}
            onEdit={() => open('edit-collection', { collection })}
            onDelete={() => setToDelete(collection)}
            onUpload={() => onUpload(collection)}
          />
        ))}
      </SimpleGrid>
      <DeleteCollectionDialog collection={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

function GridSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} aria-hidden="true">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} height={208} radius="lg" />
      ))}
    </SimpleGrid>
  );
}

import { Skeleton, Stack } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useDeleteCollection } from '#client/lib/use-delete-collection.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Collection } from '#shared/collections.ts';
import { CollectionRow } from './collection-row.tsx';
import type { DashboardScope } from './dashboard-inputs.ts';
import classes from './recent-collections.module.css';

const recentCollectionsShown = 3;

interface RecentCollectionsProps {
  scope: DashboardScope;
  /** Where there is none: false while the first steps offer them. */
  offersSamples: boolean;
}

export function RecentCollections({ scope, offersSamples }: RecentCollectionsProps) {
  return (
    <Panel
      title="Recent Collections"
      action={
        <AnchorLink to="/collections" size="sm" fw={600}>
          View all
        </AnchorLink>
      }
    >
      <Rows scope={scope} offersSamples={offersSamples} />
    </Panel>
  );
}

function Rows({ scope, offersSamples }: RecentCollectionsProps) {
  const { data, error, refetch } = trpc.collections.list.useQuery(scope);
  const { open } = useDialogs();
  const remove = useConfirmedDelete();
  if (error) return <ErrorView error={error} title="Failed to fetch collections" onRetry={refetch} />;
  if (!data) {
    return (
      <Stack gap="sm" aria-hidden="true">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} height="3.25rem" radius="md" />
        ))}
      </Stack>
    );
  }
  if (data.length === 0) return <NoCollections withSamples={offersSamples} />;
  return (
    <ul className={classes['list']}>
      {newestFirst(data)
        .slice(0, recentCollectionsShown)
        .map((collection) => (
          <CollectionRow
            key={collection.id}
            collection={collection}
            onEdit={() => open('edit-collection', { collection })}
            onDelete={() => remove(collection)}
          />
        ))}
    </ul>
  );
}

function newestFirst(collections: Collection[]): Collection[] {
  return collections.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id);
}

/** Asks with the browser's own question; from here there is no Undo. */
function useConfirmedDelete(): (collection: Collection) => void {
  const { remove } = useDeleteCollection();
  const send = useOnce(remove, (id) => id);
  return ({ id, name }) => {
    if (window.confirm(`Are you sure you want to delete "${name}"? This action cannot be undone.`)) send(id);
  };
}

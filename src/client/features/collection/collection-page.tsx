import { Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { Suspense } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { arrowLeftIcon, stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { TabList } from '#client/components/display/tab-list.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { Collection, CollectionWithProgress } from '#shared/collections.ts';
import { CollectionHeader } from './collection-header.tsx';
import { type ChangeCollection, type CollectionState, collectionTabs } from './collection-state.ts';
import { tabs } from './tabs.ts';
import { TrustLine } from './trust-line.tsx';

export interface CollectionPageProps {
  /** As it stands in the address; 0 for what cannot be an id. */
  id: number;
  state: CollectionState;
  onChange: ChangeCollection;
  onUpload: (collection: Collection) => void;
  onEdit: (collection: Collection) => void;
  onDeleted: () => void;
}

export function CollectionPage({ id, ...rest }: CollectionPageProps) {
  const query = trpc.collections.get.useQuery({ collection: id });
  if (query.isError && isNotFound(query.error)) return <CollectionNotFound />;
  if (query.isError)
    return <ErrorView error={query.error} title="Failed to fetch collection" onRetry={query.refetch} />;
  if (!query.data) return <PageSkeleton />;
  return <CollectionView key={id} collection={query.data} {...rest} />;
}

function CollectionView({
  collection,
  state,
  onChange,
  ...on
}: Omit<CollectionPageProps, 'id'> & { collection: CollectionWithProgress }) {
  const may = useMay();
  return (
    <Stack gap="lg">
      <CollectionHeader collection={collection} {...on} />
      <TrustLine collection={collection} />
      {!may('editor') && (
        <Text size="sm" c="dimmed">
          You are a viewer here: search, read and try. Saving changes takes an editor of this workspace.
        </Text>
      )}
      <Tabs
        value={state.tab}
        keepMounted={false}
        onChange={(value) => {
          const tab = collectionTabs.find((other) => other === value);
          if (tab) onChange({ tab });
        }}
      >
        <TabList chosen={state.tab}>
          {collectionTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab} leftSection={<Icon shape={tabs[tab].icon} />}>
              {tabs[tab].label}
            </Tabs.Tab>
          ))}
        </TabList>
        {collectionTabs.map((tab) => {
          const { Part } = tabs[tab];
          return (
            <Tabs.Panel key={tab} value={tab} pt="md">
              <Suspense fallback={<TableSkeleton />}>
                <Part collection={collection} state={state} onChange={onChange} />
              </Suspense>
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Stack>
  );
}

function CollectionNotFound() {
  return (
    <>
      <PageHeader title="Collection not found" />
      <EmptyState
        icon={stack2Icon}
        title="There is no such collection"
        description="It may have been deleted, or it belongs to a workspace that you are not a member of."
      >
        <ButtonLink to="/collections" leftSection={<Icon shape={arrowLeftIcon} />}>
          Back to Collections
        </ButtonLink>
      </EmptyState>
    </>
  );
}

function PageSkeleton() {
  return (
    <Stack aria-hidden="true">
      <Skeleton height={36} width="16rem" />
      <Skeleton height={20} width="24rem" maw="100%" />
      <TableSkeleton />
    </Stack>
  );
}

import { ActionIcon, Button, Group, Paper, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { AnchorLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { useCreateDialogs } from '#client/components/shell/create-dialogs.tsx';
import { formatDate, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import classes from './panel.module.css';
import { useUndoableDelete } from './undoable-delete.ts';

/** What a panel needs of the query that feeds it; the page counts the same rows. */
export interface ListState<T> {
  data: T[] | undefined;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

interface CollectionsPanelProps {
  projectId: number;
  list: ListState<Collection>;
}

export function CollectionsPanel({ projectId, list }: CollectionsPanelProps) {
  const { open } = useCreateDialogs();
  const remove = useUndoableDelete();
  const create = (
    <Button leftSection={<Icon name="plus" />} onClick={() => open({ kind: 'create-collection', projectId })}>
      Create Collection
    </Button>
  );
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />;
  if (!list.data) return <Skeleton height={200} radius="lg" />;
  if (list.data.length === 0) return <NoCollections projectId={projectId} />;
  return (
    <>
      <Group justify="flex-end" mb="sm">
        {create}
      </Group>
      <Paper withBorder className={classes['panel'] ?? ''}>
        <Table.ScrollContainer minWidth={720}>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Description</Table.Th>
                <Table.Th ta="right">Documents</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th ta="right">Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data.map((collection) => (
                <Table.Tr key={collection.id}>
                  <Table.Td className={classes['name'] ?? ''}>
                    <AnchorLink to="/search" search={{ collection: collection.id }} fw={600}>
                      {collection.name}
                    </AnchorLink>
                  </Table.Td>
                  <Table.Td className={classes['words'] ?? ''}>
                    <Text size="sm" c="dimmed" lineClamp={2}>
                      {collection.description || '–'}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{formatNumber(collection.documentCount)}</Table.Td>
                  <Table.Td>
                    <StatusBadge isActive={collection.isActive} />
                  </Table.Td>
                  <Table.Td className={classes['date'] ?? ''}>{formatDate(collection.createdAt)}</Table.Td>
                  <Table.Td>
                    <Group gap={2} justify="flex-end" wrap="nowrap">
                      <Tooltip label="Edit collection">
                        <ActionIcon
                          aria-label={`Edit ${collection.name}`}
                          onClick={() => open({ kind: 'edit-collection', collection })}
                        >
                          <Icon name="edit" />
                        </ActionIcon>
                      </Tooltip>
                      <Tooltip label="Delete collection">
                        <ActionIcon
                          aria-label={`Delete ${collection.name}`}
                          loading={remove.isPending(collection)}
                          onClick={() => remove.start(collection)}
                        >
                          <Icon name="trash" />
                        </ActionIcon>
                      </Tooltip>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </>
  );
}

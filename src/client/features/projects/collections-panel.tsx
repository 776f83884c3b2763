import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, plusIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Pager } from '#client/components/display/pager.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { formatDate, formatNumber } from '#client/lib/format.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { useUndoableDelete } from './use-undoable-delete.ts';

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
  page: number;
  onPageChange: (page: number) => void;
}

export function CollectionsPanel({ projectId, list, page: asked, onPageChange }: CollectionsPanelProps) {
  const { open } = useDialogs();
  const { remove, removingId } = useUndoableDelete();
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />;
  if (!list.data) return <TableSkeleton />;
  if (list.data.length === 0) return <NoCollections projectId={projectId} />;
  const { shown, page, pages } = pageOf(list.data, asked);
  return (
    <>
      <May atLeast="editor">
        <Group justify="flex-end" mb="sm">
          <Button
            leftSection={<Icon shape={plusIcon} />}
            onClick={() => open('create-collection', { projectId })}
          >
            Create Collection
          </Button>
        </Group>
      </May>
      <TablePanel
        minWidth={720}
        head={
          <>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
            <th scope="col" data-right>
              Documents
            </th>
            <th scope="col">Status</th>
            <th scope="col">Created</th>
            <May atLeast="editor">
              <th scope="col" data-right>
                Actions
              </th>
            </May>
          </>
        }
      >
        {shown.map((collection) => (
          <CollectionRow
            key={collection.id}
            collection={collection}
            isRemoving={collection.id === removingId}
            onEdit={() => open('edit-collection', { collection })}
            onRemove={() => remove(collection.id)}
          />
        ))}
      </TablePanel>
      <Box mt="sm">
        <Pager
          page={page}
          pages={pages}
          total={list.data.length}
          noun="collections"
          onChange={onPageChange}
        />
      </Box>
    </>
  );
}

interface CollectionRowProps {
  collection: Collection;
  isRemoving: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function CollectionRow({ collection, isRemoving, onEdit, onRemove }: CollectionRowProps) {
  const { id, name, description, documentCount, isActive, createdAt } = collection;
  return (
    <tr>
      <td className={cells['name']}>
        <AnchorLink to="/collections/$id" params={{ id }} fw={600} dir="auto">
          {name}
        </AnchorLink>
      </td>
      <td className={cells['words']}>
        <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
          {description || '–'}
        </Text>
      </td>
      <td data-right>{formatNumber(documentCount)}</td>
      <td>
        <StatusBadge isActive={isActive} />
      </td>
      <td className={cells['date']}>{formatDate(createdAt)}</td>
      <May atLeast="editor">
        <td>
          <Group gap={2} justify="flex-end" wrap="nowrap">
            <Tip label="Edit collection">
              <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
                <Icon shape={pencilIcon} />
              </ActionIcon>
            </Tip>
            <Tip label="Delete collection">
              <ActionIcon aria-label={`Delete ${name}`} loading={isRemoving} onClick={onRemove}>
                <Icon shape={trashIcon} />
              </ActionIcon>
            </Tip>
          </Group>
        </td>
      </May>
    </tr>
  );
}

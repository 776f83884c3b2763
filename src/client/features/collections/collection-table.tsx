import { ActionIcon, Group, Table } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, trashIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';

interface CollectionActions {
  onEdit: (collection: Collection) => void;
  onDelete: (collection: Collection) => void;
  onUpload: (collection: Collection) => void;
}

interface CollectionTableProps extends CollectionActions {
  collections: Collection[];
  projectNameOf: (collection: Collection) => string | null;
}

/** The collections line by line, for whoever has many. */
export function CollectionTable({ collections, projectNameOf, ...on }: CollectionTableProps) {
  return (
    <TablePanel
      minWidth={760}
      head={
        <>
          <Table.Th>Name</Table.Th>
          <Table.Th>Project</Table.Th>
          <Table.Th ta="right">Documents</Table.Th>
          <Table.Th ta="right">Dimension</Table.Th>
          <Table.Th>Metric</Table.Th>
          <Table.Th>Updated</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="right">Actions</Table.Th>
        </>
      }
    >
      {collections.map((collection) => (
        <Row key={collection.id} collection={collection} projectName={projectNameOf(collection)} {...on} />
      ))}
    </TablePanel>
  );
}

function Row(props: CollectionActions & { collection: Collection; projectName: string | null }) {
  const { collection, projectName } = props;
  const { id, name, documentCount, dimension, metric, updatedAt, isActive } = collection;
  return (
    <Table.Tr>
      <Table.Td className={cells['name'] ?? ''} dir="auto">
        <AnchorLink to="/collections/$id" params={{ id }} size="sm" fw={600}>
          {name}
        </AnchorLink>
      </Table.Td>
      <Table.Td className={cells['name'] ?? ''} dir="auto">
        {projectName ?? '–'}
      </Table.Td>
      <Table.Td ta="right">{formatNumber(documentCount)}</Table.Td>
      <Table.Td ta="right">{dimension}</Table.Td>
      <Table.Td>{metric}</Table.Td>
      <Table.Td className={cells['date'] ?? ''}>{formatAgo(updatedAt)}</Table.Td>
      <Table.Td>
        <StatusBadge isActive={isActive} />
      </Table.Td>
      <Table.Td>
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <ActionIcon aria-label={`Upload documents to ${name}`} onClick={() => props.onUpload(collection)}>
            <Icon shape={uploadIcon} />
          </ActionIcon>
          <ActionIcon aria-label={`Edit ${name}`} onClick={() => props.onEdit(collection)}>
            <Icon shape={pencilIcon} />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${name}`} onClick={() => props.onDelete(collection)}>
            <Icon shape={trashIcon} />
          </ActionIcon>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

import { ActionIcon, Group } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, trashIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import { May } from '#client/lib/workspace-provider.tsx';
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
          <th scope="col">Name</th>
          <th scope="col">Project</th>
          <th scope="col" data-right>
            Documents
          </th>
          <th scope="col" data-right>
            Dimension
          </th>
          <th scope="col">Metric</th>
          <th scope="col">Updated</th>
          <th scope="col">Status</th>
          <May atLeast="editor">
            <th scope="col" data-right>
              Actions
            </th>
          </May>
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
    <tr>
      <td className={cells['name']} dir="auto">
        <AnchorLink to="/collections/$id" params={{ id }} size="sm" fw={600}>
          {name}
        </AnchorLink>
      </td>
      <td className={cells['name']} dir="auto">
        {projectName ?? '–'}
      </td>
      <td data-right>{formatNumber(documentCount)}</td>
      <td data-right>{dimension}</td>
      <td>{metric}</td>
      <td className={cells['date']}>{formatAgo(updatedAt)}</td>
      <td>
        <StatusBadge isActive={isActive} />
      </td>
      <May atLeast="editor">
        <td>
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
        </td>
      </May>
    </tr>
  );
}

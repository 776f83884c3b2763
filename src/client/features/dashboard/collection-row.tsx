import { ActionIcon, Menu, Text } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { Icon } from '#client/components/display/icon.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import classes from './collection-row.module.css';

export function CollectionRow(props: { collection: Collection; onEdit: () => void; onDelete: () => void }) {
  const { name, description, documentCount, dimension, metric, isActive } = props.collection;
  return (
    <li className={classes['row']}>
      <span className={classes['icon']}>
        <Icon shape={IconStack2} size={18} />
      </span>
      <div className={classes['words']}>
        <Text fw={600} size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate className={classes['detail'] ?? ''}>
          {description || `${dimension} dimensions · ${metric}`}
        </Text>
      </div>
      <span className={classes['count']}>
        {formatNumber(documentCount)} {documentCount === 1 ? 'document' : 'documents'}
      </span>
      <StatusBadge isActive={isActive} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <Icon shape={IconDots} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon shape={IconPencil} />} onClick={props.onEdit}>
            Edit
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon shape={IconTrash} />} onClick={props.onDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

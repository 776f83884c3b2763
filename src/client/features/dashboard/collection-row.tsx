import { ActionIcon, Menu, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { dotsIcon, pencilIcon, stack2Icon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import classes from './collection-row.module.css';

export function CollectionRow(props: { collection: Collection; onEdit: () => void; onDelete: () => void }) {
  const { id, name, description, documentCount, dimension, metric, isActive } = props.collection;
  return (
    <li className={classes['row']}>
      <span className={classes['icon']}>
        <Icon shape={stack2Icon} size={18} />
      </span>
      <div className={classes['words']}>
        <AnchorLink
          to="/collections/$id"
          params={{ id }}
          fw={600}
          size="sm"
          c="inherit"
          truncate
          dir="auto"
          className={classes['link'] ?? ''}
        >
          {name}
        </AnchorLink>
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
            <Icon shape={dotsIcon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon shape={pencilIcon} />} onClick={props.onEdit}>
            Edit
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon shape={trashIcon} />} onClick={props.onDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

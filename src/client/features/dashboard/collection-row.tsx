import { Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, stack2Icon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { ActionMenu } from '#client/components/later/action-menu.tsx';
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
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          { label: 'Edit', icon: pencilIcon, onClick: props.onEdit },
          { label: 'Delete', icon: trashIcon, onClick: props.onDelete, isRed: true },
        ]}
      />
    </li>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import {
  arrowLeftIcon,
  pencilIcon,
  searchIcon,
  trashIcon,
  uploadIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink, ButtonLink } from '#client/components/display/links.tsx';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { DeleteCollectionDialog } from '#client/components/feedback/delete-collection-dialog.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { ActionMenu } from '#client/components/later/action-menu.tsx';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import classes from './collection-header.module.css';

interface CollectionHeaderProps {
  collection: Collection;
  onUpload: (collection: Collection) => void;
  onEdit: (collection: Collection) => void;
  onDeleted: () => void;
}

export function CollectionHeader({ collection, onUpload, onEdit, onDeleted }: CollectionHeaderProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { id, name, description } = collection;
  return (
    <>
      <PageHeader
        above={
          <AnchorLink to="/collections" size="sm" c="dimmed">
            <Group gap={4} component="span" display="inline-flex" mb={6}>
              <Icon shape={arrowLeftIcon} size={16} />
              Collections
            </Group>
          </AnchorLink>
        }
        title={name}
        description={
          <>
            {description && (
              <Text inherit lineClamp={3} dir="auto" title={description}>
                {description}
              </Text>
            )}
            <Facts collection={collection} />
          </>
        }
        actions={
          <>
            <ButtonLink to="/search" search={{ collection: id }} leftSection={<Icon shape={searchIcon} />}>
              Search
            </ButtonLink>
            <May atLeast="editor">
              <Button
                variant="default"
                leftSection={<Icon shape={uploadIcon} />}
                onClick={() => onUpload(collection)}
              >
                Import
              </Button>
              <ActionMenu
                label={`More for ${name}`}
                variant="default"
                size={36}
                actions={[
                  { label: 'Edit collection', icon: pencilIcon, onClick: () => onEdit(collection) },
                  {
                    label: 'Delete collection',
                    icon: trashIcon,
                    onClick: () => setDeleting(true),
                    isRed: true,
                  },
                ]}
              />
            </May>
          </>
        }
      />
      <DeleteCollectionDialog
        collection={isDeleting ? collection : null}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}

function Facts({ collection }: { collection: Collection }) {
  const { documentCount, dimension, metric, updatedAt, isActive } = collection;
  const facts = [
    `${formatNumber(documentCount)} ${documentCount === 1 ? 'document' : 'documents'}`,
    `${dimension} dimensions`,
    metric,
    `updated ${formatAgo(updatedAt)}`,
  ];
  return (
    <div className={classes['facts']}>
      {!isActive && <StatusBadge isActive={false} />}
      <span>{facts.join(' · ')}</span>
    </div>
  );
}

import { ActionIcon, Button, Card, Group, Text, Title, Tooltip } from '@mantine/core';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { Icon } from '#client/components/display/icon.tsx';
import { AnchorLink } from '#client/components/display/links.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import type { Collection } from '#shared/collections.ts';
import classes from './collection-card.module.css';

interface CollectionCardProps {
  collection: Collection;
  projectName: string | null;
  onEdit: () => void;
  onDelete: () => void;
  onUpload: () => void;
}

export function CollectionCard({ collection, projectName, ...on }: CollectionCardProps) {
  const { id, name, documentCount } = collection;
  return (
    <Card component="li" className={classes['card'] ?? ''}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <div className={classes['head']}>
          <Title order={2} size="h3" className={classes['title'] ?? ''}>
            {/* The link covers the card; what can be clicked besides lies above it. */}
            <AnchorLink to="/search" search={{ collection: id }} inherit className={classes['link'] ?? ''}>
              {name}
            </AnchorLink>
          </Title>
          <Text size="xs" c="dimmed">
            {projectName && `${projectName} · `}updated {formatAgo(collection.updatedAt)}
          </Text>
        </div>
        <CardActions name={name} {...on} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} className={classes['description'] ?? ''}>
        {collection.description || 'No description'}
      </Text>
      <dl className={classes['facts']}>
        <Fact term="Documents" value={formatNumber(documentCount)} />
        <Fact term="Dimension" value={String(collection.dimension)} />
        <Fact term="Metric" value={collection.metric} />
      </dl>
      <Group justify="space-between" gap="xs" className={classes['footer'] ?? ''}>
        <StatusBadge isActive={collection.isActive} />
        <Button
          size="compact-sm"
          variant={documentCount === 0 ? 'light' : 'subtle'}
          leftSection={<Icon shape={IconUpload} />}
          aria-label={`Upload documents to ${name}`}
          className={classes['actions'] ?? ''}
          onClick={on.onUpload}
        >
          Upload
        </Button>
      </Group>
    </Card>
  );
}

function CardActions({
  name,
  onEdit,
  onDelete,
}: Pick<CollectionCardProps, 'onEdit' | 'onDelete'> & { name: string }) {
  return (
    <Group gap={2} wrap="nowrap" className={classes['actions'] ?? ''}>
      <Tooltip label="Edit collection">
        <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
          <Icon shape={IconPencil} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete collection">
        <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
          <Icon shape={IconTrash} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

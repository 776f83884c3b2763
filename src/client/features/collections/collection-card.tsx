import { ActionIcon, Button } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, trashIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { CardLink, LinkCard } from '#client/components/display/link-card.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import { May } from '#client/lib/workspace-provider.tsx';
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
    <LinkCard
      link={
        <CardLink to="/collections/$id" params={{ id }}>
          {name}
        </CardLink>
      }
      detail={`${projectName ? `${projectName} · ` : ''}updated ${formatAgo(collection.updatedAt)}`}
      actions={
        <May atLeast="editor">
          <Tip label="Edit collection">
            <ActionIcon aria-label={`Edit ${name}`} onClick={on.onEdit}>
              <Icon shape={pencilIcon} />
            </ActionIcon>
          </Tip>
          <Tip label="Delete collection">
            <ActionIcon aria-label={`Delete ${name}`} onClick={on.onDelete}>
              <Icon shape={trashIcon} />
            </ActionIcon>
          </Tip>
        </May>
      }
      description={collection.description}
      footer={
        <>
          <StatusBadge isActive={collection.isActive} />
          <May atLeast="editor">
            <UploadButton collection={collection} onUpload={on.onUpload} />
          </May>
        </>
      }
    >
      <dl className={classes['facts']}>
        <Fact term="Documents" value={formatNumber(documentCount)} />
        <Fact term="Dimension" value={String(collection.dimension)} />
        <Fact term="Metric" value={collection.metric} />
      </dl>
    </LinkCard>
  );
}

/** More to the fore while there is nothing in the collection. */
function UploadButton({ collection, onUpload }: Pick<CollectionCardProps, 'collection' | 'onUpload'>) {
  return (
    <Button
      size="compact-sm"
      variant={collection.documentCount === 0 ? 'light' : 'subtle'}
      leftSection={<Icon shape={uploadIcon} />}
      aria-label={`Upload documents to ${collection.name}`}
      onClick={onUpload}
    >
      Upload
    </Button>
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

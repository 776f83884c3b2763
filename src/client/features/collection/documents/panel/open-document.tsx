import { ActionIcon, Button, Drawer, Group, Skeleton, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { copyIcon, fileTextIcon, pencilIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { DocumentViews } from '#client/components/document/document-views.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import type { Known } from './edit/known.ts';
import { DocumentEditor } from './lazy-editor.ts';

interface OpenDocumentProps {
  collection: Collection;
  id: string;
  isRemoving: boolean;
  onOpen: (id: string) => void;
  onRemove: (document: { id: string; hasOwnVector: boolean }) => void;
  onClose: () => void;
}

/** A document in the panel: its fields, its JSON, what is like it, and its editor. */
export function OpenDocument({ collection, id, isRemoving, onOpen, onRemove, onClose }: OpenDocumentProps) {
  const at = { collection: collection.id, id };
  const { data, error, isFetching, refetch } = trpc.documents.getVersion.useQuery(at);
  const [edited, setEdited] = useState<Known | null>(null);
  const known = data as (Known & { own_embedding: boolean }) | undefined;
  if (edited) {
    return (
      <>
        <Drawer.Header>
          <Drawer.Title>Edit document</Drawer.Title>
          <Drawer.CloseButton aria-label="Close document" />
        </Drawer.Header>
        <Drawer.Body>
          <Suspense fallback={<Skeleton height={240} />}>
            <DocumentEditor
              collection={collection}
              edited={{ id, known: edited, current: { data: known, error, isFetching, refetch } }}
              onSaved={() => setEdited(null)}
              onCancel={() => setEdited(null)}
            />
          </Suspense>
        </Drawer.Body>
      </>
    );
  }
  return (
    <>
      <Drawer.Header>
        <Drawer.Title>Document</Drawer.Title>
        <Group gap={4} wrap="nowrap">
          {known && !error && (
            <Actions
              isRemoving={isRemoving}
              onEdit={() => setEdited(known)}
              onRemove={() => onRemove({ id, hasOwnVector: known.own_embedding })}
            />
          )}
          <Drawer.CloseButton aria-label="Close document" />
        </Group>
      </Drawer.Header>
      <Drawer.Body>
        {error && isNotFound(error) ? (
          <Gone id={id} onClose={onClose} />
        ) : error ? (
          <ErrorView error={error} title="The document could not be loaded" onRetry={refetch} />
        ) : known ? (
          <DocumentViews
            at={at}
            fields={known.document}
            json={known.document}
            onOpen={({ id: other }) => onOpen(other)}
          />
        ) : (
          <Stack aria-hidden="true">
            <Skeleton height={24} width="60%" />
            <Skeleton height={200} />
          </Stack>
        )}
      </Drawer.Body>
    </>
  );
}

interface ActionsProps {
  isRemoving: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function Actions({ isRemoving, onEdit, onRemove }: ActionsProps) {
  return (
    <>
      <May atLeast="editor">
        <Button size="compact-sm" leftSection={<Icon shape={pencilIcon} size={16} />} onClick={onEdit}>
          Edit
        </Button>
      </May>
      <ActionIcon
        aria-label="Copy link"
        title="Copy link"
        onClick={() => void copyText(window.location.href, 'The link opens this list with this document.')}
      >
        <Icon shape={copyIcon} />
      </ActionIcon>
      <May atLeast="editor">
        <ActionIcon
          aria-label="Delete document"
          title="Delete document"
          loading={isRemoving}
          onClick={onRemove}
        >
          <Icon shape={trashIcon} />
        </ActionIcon>
      </May>
    </>
  );
}

function Gone({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <EmptyState
      icon={fileTextIcon}
      title="There is no such document"
      description={`No document has the id “${id}” (any more).`}
    >
      <Button variant="default" onClick={onClose}>
        Back to the list
      </Button>
    </EmptyState>
  );
}

import { Button, Drawer, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { copyIcon, fileTextIcon } from '#client/components/display/icon-shapes.gen.ts';
import { DocumentFields } from '#client/components/document/document-fields.tsx';
import { DocumentHeading } from '#client/components/document/document-heading.tsx';
import { DocumentJson } from '#client/components/document/document-json.tsx';
import { SimilarDocuments } from '#client/components/document/similar-documents.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { JsonValue } from '#shared/documents.ts';

interface OpenDocumentProps {
  collection: Collection;
  id: string;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A document in the panel: its fields, its JSON, and what is like it. */
export function OpenDocument({ collection, id, onOpen, onClose }: OpenDocumentProps) {
  const at = { collection: collection.id, id };
  const { data, error, refetch } = trpc.documents.getVersion.useQuery(at);
  return (
    <>
      <Drawer.Header>
        <Drawer.Title>Document</Drawer.Title>
        <Group gap="xs">
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon shape={copyIcon} size={16} />}
            onClick={() =>
              void copyText(window.location.href, 'The link opens this list with this document.')
            }
          >
            Copy link
          </Button>
          <Drawer.CloseButton aria-label="Close document" />
        </Group>
      </Drawer.Header>
      <Drawer.Body>
        {error && isNotFound(error) ? (
          <Gone id={id} onClose={onClose} />
        ) : error ? (
          <ErrorView error={error} title="The document could not be loaded" onRetry={refetch} />
        ) : data ? (
          <Views
            at={at}
            document={data.document as Record<string, JsonValue>}
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

interface ViewsProps {
  at: { collection: number; id: string };
  document: Record<string, JsonValue>;
  onOpen: (document: { id: string }) => void;
}

function Views({ at, document, onOpen }: ViewsProps) {
  return (
    <>
      <DocumentHeading id={at.id} document={document} />
      <Tabs defaultValue="fields" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="similar">Similar</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <DocumentFields document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <DocumentJson document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="similar">
          <SimilarDocuments at={at} onOpen={onOpen} />
        </Tabs.Panel>
      </Tabs>
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

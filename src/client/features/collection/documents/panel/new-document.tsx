import { Drawer, Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { Collection } from '#shared/collections.ts';
import { DocumentEditor } from './lazy-editor.ts';
import { templateOf } from './template-of.ts';

interface NewDocumentProps {
  collection: Collection;
  fields: { path: string; types: string[] }[];
  onSaved: (id: string) => void;
  onCancel: () => void;
}

/** A document is written in the panel. */
export function NewDocument({ collection, fields, onSaved, onCancel }: NewDocumentProps) {
  return (
    <>
      <Drawer.Header>
        <Drawer.Title>New document</Drawer.Title>
        <Drawer.CloseButton aria-label="Close document" />
      </Drawer.Header>
      <Drawer.Body>
        <Suspense fallback={<Skeleton height={240} />}>
          <DocumentEditor
            collection={collection}
            edited={null}
            template={templateOf(fields, collection.metadata?.fields ?? [])}
            onSaved={onSaved}
            onCancel={onCancel}
          />
        </Suspense>
      </Drawer.Body>
    </>
  );
}

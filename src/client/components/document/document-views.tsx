import { Tabs } from '@mantine/core';
import type { JsonValue } from '#shared/documents.ts';
import { DocumentFields } from './document-fields.tsx';
import { DocumentHeading } from './document-heading.tsx';
import { DocumentJson } from './document-json.tsx';
import { SimilarDocuments } from './similar-documents.tsx';

interface DocumentViewsProps {
  at: { collection: number; id: string };
  /** Without its vector. */
  fields: Record<string, JsonValue>;
  /** As the API answers it. */
  json: Record<string, JsonValue>;
  onOpen: (document: { collection: number; id: string }) => void;
}

/** A document in a panel: what it is called, its fields, its JSON, and what is like it. */
export function DocumentViews({ at, fields, json, onOpen }: DocumentViewsProps) {
  return (
    <>
      <DocumentHeading id={at.id} document={fields} />
      <Tabs defaultValue="fields" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="similar">Similar</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <DocumentFields document={fields} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <DocumentJson document={json} />
        </Tabs.Panel>
        <Tabs.Panel value="similar">
          <SimilarDocuments at={at} onOpen={onOpen} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

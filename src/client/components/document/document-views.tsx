import { Tabs, Text } from '@mantine/core';
import type { JsonValue } from '#shared/documents.ts';
import { DocumentFields } from './document-fields.tsx';
import { DocumentHeading } from './document-heading.tsx';
import { DocumentJson } from './document-json.tsx';
import type { FieldMark } from './field-marks.ts';
import { ScrolledToMark } from './scrolled-to-mark.tsx';
import { SimilarDocuments } from './similar-documents.tsx';

export interface DocumentViewsProps {
  at: { collection: number; id: string };
  /** Without its vector. */
  fields: Record<string, JsonValue>;
  /** As the API answers it. */
  json: Record<string, JsonValue>;
  /** What is marked in its fields, and what is said of it. */
  marked?: { marks: FieldMark[]; note: string } | null;
  onOpen: (document: { collection: number; id: string }) => void;
}

/** A document in a panel: what it is called, its fields, its JSON, and what is like it. */
export function DocumentViews({ at, fields, json, marked = null, onOpen }: DocumentViewsProps) {
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
          {marked && (
            <Text size="sm" c="dimmed" mt="xs">
              {marked.note}
            </Text>
          )}
          <ScrolledToMark key={placeOf(marked?.marks)}>
            <DocumentFields document={fields} marks={marked?.marks} />
          </ScrolledToMark>
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

/** It is scrolled to a mark that takes another's place, too. */
function placeOf(marks: FieldMark[] = []): string {
  const mark = marks.find(({ isAround }) => !isAround);
  return mark === undefined ? 'none' : `${mark.field} ${mark.start} ${mark.end}`;
}

import { Text, Title } from '@mantine/core';
import { titleOf } from '#client/lib/document-title.ts';
import type { JsonValue } from '#shared/documents.ts';
import classes from './document.module.css';

/** What a document is called, and its id. */
export function DocumentHeading({ id, document }: { id: string; document: Record<string, JsonValue> }) {
  return (
    <>
      <Title order={2} size="h3" dir="auto" className={classes['title'] ?? ''}>
        {titleOf(id, document)}
      </Title>
      <Text size="xs" c="dimmed" mb="sm" className={classes['id'] ?? ''}>
        {id}
      </Text>
    </>
  );
}

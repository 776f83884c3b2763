import { Button, Paper } from '@mantine/core';
import { DocumentJson } from '#client/components/document/document-json.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import classes from './json-list.module.css';
import type { Row } from './use-documents.ts';

/** Documents as they are stored. */
export function JsonList({ rows, onOpen }: { rows: Row[]; onOpen: (id: string) => void }) {
  return (
    <ol aria-label="Documents" className={classes['list']}>
      {rows.map((row) => (
        <Paper key={row.id} component="li" withBorder className={classes['item'] ?? ''}>
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes['title'] ?? ''}
            onClick={() => onOpen(row.id)}
          >
            <span dir="auto">{titleOf(row.id, row)}</span>
          </Button>
          <DocumentJson document={row} label={`JSON of ${row.id}`} />
        </Paper>
      ))}
    </ol>
  );
}

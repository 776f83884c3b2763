import { Group, Text } from '@mantine/core';
import { Suspense } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { laterPart } from '#client/lib/lazy-part.ts';

/** Below the rows, and only where they are many. */
const PageButtons = laterPart(async () => ({ default: (await import('./page-buttons.tsx')).PageButtons }));

interface PagerProps {
  page: number;
  pages: number;
  /** Rows on all pages. */
  total: number;
  /** What they are. */
  noun: string;
  /** The first row of this page, where their number stands elsewhere. */
  from?: { row: number; rows: number };
  onChange: (page: number) => void;
}

/** Below a list that has more than one page. */
export function Pager({ page, pages, total, noun, from, onChange }: PagerProps) {
  if (pages === 1) return null;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {from
          ? `${formatNumber(from.row)} to ${formatNumber(from.row + from.rows - 1)}`
          : formatNumber(total)}
        {from ? '' : ` ${noun}`}
      </Text>
      <Suspense>
        <PageButtons page={page} pages={pages} onChange={onChange} />
      </Suspense>
    </Group>
  );
}

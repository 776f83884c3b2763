import { Group, Pagination, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';

interface PagerProps {
  page: number;
  pages: number;
  /** Rows on all pages. */
  total: number;
  /** What they are. */
  noun: string;
  onChange: (page: number) => void;
}

/** Below a list that has more than one page. */
export function Pager({ page, pages, total, noun, onChange }: PagerProps) {
  if (pages === 1) return null;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {formatNumber(total)} {noun}
      </Text>
      <Pagination
        size="sm"
        siblings={1}
        total={pages}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
      />
    </Group>
  );
}

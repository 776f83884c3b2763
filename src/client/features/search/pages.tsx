import { Button, Group, Pagination, Text } from '@mantine/core';
import { hasCount, lastPage, type SearchResults } from './search-results.ts';
import type { ChangeSearch } from './search-state.ts';

interface PagesProps {
  results: SearchResults;
  onChange: ChangeSearch;
}

export function Pages({ results, onChange }: PagesProps) {
  const pages = lastPage(results.found);
  const page = Math.min(results.of.page, pages);
  if (pages <= 1) return null;
  if (!hasCount(results)) {
    return (
      <Group gap="xs" mt="sm" component="nav" aria-label="Pages">
        <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onChange({ page: page - 1 })}>
          Previous
        </Button>
        <Text size="sm">Page {page}</Text>
        <Button
          variant="default"
          size="xs"
          disabled={page >= pages}
          onClick={() => onChange({ page: page + 1 })}
        >
          Next
        </Button>
      </Group>
    );
  }
  return (
    <Pagination
      mt="sm"
      size="sm"
      siblings={1}
      total={pages}
      value={page}
      onChange={(next) => onChange({ page: next })}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
    />
  );
}

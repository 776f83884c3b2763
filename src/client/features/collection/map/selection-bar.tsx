import { Button, Group, Text } from '@mantine/core';
import { ButtonLink } from '#client/components/display/links.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { idsFilter } from './ids-filter.ts';

interface SelectionBarProps {
  collection: number;
  /** Of the selected documents. */
  ids: string[];
  onClear: () => void;
}

/** What is selected, and the way to these documents. */
export function SelectionBar({ collection, ids, onClear }: SelectionBarProps) {
  const { filter, count } = idsFilter(ids);
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        {ids.length === 1 ? '1 document selected' : `${formatNumber(ids.length)} documents selected`}
      </Text>
      {ids.length > 0 && (
        <ButtonLink
          to="/collections/$id"
          params={{ id: collection }}
          search={{ filter }}
          size="compact-sm"
          variant="default"
        >
          {count < ids.length
            ? `Show the first ${formatNumber(count)} as a filter`
            : `Show ${count === 1 ? 'it' : `these ${formatNumber(count)}`} as a filter`}
        </ButtonLink>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
      {count < ids.length && (
        <Text size="xs" c="dimmed">
          An address holds no more ids than these.
        </Text>
      )}
    </Group>
  );
}

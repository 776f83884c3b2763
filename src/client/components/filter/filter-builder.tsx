import { ActionIcon, Popover } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { filterIcon } from '#client/components/display/icon-shapes.gen.ts';

const ConditionRows = lazy(() =>
  import('./condition-rows.tsx').then((module) => ({ default: module.ConditionRows })),
);

interface FilterBuilderProps {
  text: string;
  onType: (filter: string) => void;
  fields: string[];
}

/** The filter as rows of field, comparison and value, in step with its text. */
export function FilterBuilder(props: FilterBuilderProps) {
  return (
    <Popover position="bottom-start" shadow="md" trapFocus width="min(36rem, calc(100vw - 2rem))">
      <Popover.Target>
        <ActionIcon size="sm" aria-label="Build the filter">
          <Icon shape={filterIcon} size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <ConditionRows {...props} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

import { Button } from '@mantine/core';
import { filterOffIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';

export function NoMatchingEvents({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={filterOffIcon}
      title="No events found"
      description="None of the events that are kept is like that. New ones that are show here as they happen."
    >
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  );
}

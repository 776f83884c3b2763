import { Button, Group, Stack, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ChangeSummary } from './change-summary.tsx';
import { toText } from './document-text.ts';
import { JsonDiff } from './json-diff.tsx';
import type { Fields } from './known.ts';

interface ReviewViewProps {
  before: Fields;
  after: Fields;
  isPending: boolean;
  onSave: () => void;
  onBack: () => void;
}

/** What saving changes, before it does. */
export function ReviewView({ before, after, isPending, onSave, onBack }: ReviewViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="sm">
      <Title order={2} size="h3" tabIndex={-1} ref={heading}>
        What changes
      </Title>
      <ChangeSummary who="You" before={before} after={after} />
      <JsonDiff label="Changes of the document" before={toText(before)} after={toText(after)} />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={onBack}>
          Back to editing
        </Button>
        <Button loading={isPending} onClick={onSave}>
          Save changes
        </Button>
      </Group>
    </Stack>
  );
}

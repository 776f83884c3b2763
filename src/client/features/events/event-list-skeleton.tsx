import { Skeleton, Stack } from '@mantine/core';

export function EventListSkeleton() {
  return (
    <Stack gap={4} aria-hidden="true">
      {Array.from({ length: 12 }, (_, i) => `row ${i}`).map((row) => (
        <Skeleton key={row} height={44} radius="sm" />
      ))}
    </Stack>
  );
}

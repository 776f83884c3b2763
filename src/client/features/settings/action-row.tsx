import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a button does, or why it does not, and the button. */
export function ActionRow({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="md">
      <Text size="sm" c="dimmed" maw="40rem" component="div">
        {text}
      </Text>
      {children}
    </Group>
  );
}

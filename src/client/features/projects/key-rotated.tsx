import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { formatDateTime } from '#client/lib/format.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import classes from './api-key-row.module.css';

interface KeyRotatedProps {
  /** With the whole new value. */
  apiKey: ApiKey;
  onClose: () => void;
}

/** The new value, ready to be put where the former one is. */
export function KeyRotated({ apiKey: { name, key, former }, onClose }: KeyRotatedProps) {
  return (
    <Stack>
      <Text size="sm" role="status">
        <strong>{name}</strong> has a new value.{' '}
        {former
          ? `The former one, which ends in ${former.lastFour}, works until ${formatDateTime(former.until)}.`
          : 'The former one is refused from now on.'}
      </Text>
      <TextInput
        label="New value"
        description="Put it wherever the key is used. It can be revealed in the list, too."
        readOnly
        value={key}
        classNames={{ input: classes['value'] ?? '' }}
        rightSection={
          <CopyButton value={key} label="Copy the new value" description="API key copied to clipboard" />
        }
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

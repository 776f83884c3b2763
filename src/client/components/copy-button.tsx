import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { toast } from '#client/lib/toast.ts';
import { Icon } from './icon.tsx';

/** Copies `value`; `label` says what ("Copy API key"); `description` is the toast's second line. */
export function CopyButton(props: { value: string; label: string; description?: string }) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : props.label}>
      <ActionIcon
        aria-label={props.label}
        onClick={() => {
          clipboard.copy(props.value);
          toast({ title: 'Copied', description: props.description ?? 'Content copied to clipboard' });
        }}
      >
        <Icon name={clipboard.copied ? 'check' : 'copy'} />
      </ActionIcon>
    </Tooltip>
  );
}

import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import type { NewWebhook } from '#shared/webhooks.ts';
import classes from './webhook-secret.module.css';

/** The secret, which is shown here and nowhere again. */
export function WebhookSecret({ webhook, onClose }: { webhook: NewWebhook; onClose: () => void }) {
  const { name, secret } = webhook;
  return (
    <Stack>
      <Text size="sm" role="status">
        Messages to <bdi>{name}</bdi> are signed with this secret.{' '}
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link {...props} to="/documentation/$article" params={{ article: 'webhooks' }} target="_blank" />
          )}
        >
          How a receiver checks them
        </Anchor>
      </Text>
      <TextInput
        label="Secret"
        description="It is not shown again."
        readOnly
        value={secret}
        classNames={{ input: classes['secret'] ?? '' }}
        rightSection={<CopyButton value={secret} label="Copy secret" />}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

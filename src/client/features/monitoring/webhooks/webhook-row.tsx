import { ActionIcon, Button, Switch, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatAgo, formatDateTime } from '#client/lib/format.ts';
import { toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Webhook } from '#shared/webhooks.ts';
import classes from '../alerts-panel.module.css';
import { deliveryWords, testWords } from './webhook-words.ts';

interface WebhookRowProps {
  webhook: Webhook;
  onEdit: () => void;
  onDelete: () => void;
}

export function WebhookRow({ webhook, onEdit, onDelete }: WebhookRowProps) {
  const { id, name, url, isActive } = webhook;
  const update = trpc.webhooks.update.useMutation({
    meta: { changes: 'webhooks' },
    onError: () => toastError('Failed to update the webhook. Please try again.'),
  });
  const test = trpc.webhooks.test.useMutation({ meta: { changes: 'webhooks' } });
  // What was sent since says more.
  const isNewest = webhook.lastDelivery === null || webhook.lastDelivery.event === 'webhook.test';
  return (
    <li className={classes['row']} aria-label={name}>
      <div className={classes['words']}>
        <Text size="sm" fw={600} dir="auto">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {url}
        </Text>
        <LastDelivery webhook={webhook} />
        <Text size="sm" role="status" c={test.error || test.data?.error ? 'red' : 'dimmed'}>
          {test.isPending && 'Sending a test …'}
          {test.data && isNewest && testWords(test.data)}
          {test.error && `The test was not sent: ${errorMessage(test.error)}`}
        </Text>
      </div>
      <div className={classes['tools']}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Send test to ${name}`}
          loading={test.isPending}
          onClick={() => test.mutate({ id })}
        >
          Send test
        </Button>
        <Switch
          aria-label={`${name} is active`}
          checked={update.isPending ? (update.variables.isActive ?? isActive) : isActive}
          onChange={(event) => update.mutate({ id, isActive: event.currentTarget.checked })}
        />
        <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
          <Icon shape={pencilIcon} />
        </ActionIcon>
        <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
          <Icon shape={trashIcon} />
        </ActionIcon>
      </div>
    </li>
  );
}

function LastDelivery({ webhook: { isActive, lastDelivery } }: { webhook: Webhook }) {
  if (!lastDelivery)
    return (
      <Text size="xs" c="dimmed">
        {isActive ? 'Nothing sent yet' : 'Paused'}
      </Text>
    );
  const { error, sentAt, nextAt } = lastDelivery;
  return (
    <Text size="xs" c={error ? 'red' : 'dimmed'} title={formatDateTime(sentAt)}>
      {!isActive && 'Paused. '}
      {deliveryWords(lastDelivery)}, {formatAgo(sentAt)}
      {nextAt && `; again at ${formatDateTime(nextAt)}`}
    </Text>
  );
}

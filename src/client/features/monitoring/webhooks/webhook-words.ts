import type { Webhook, WebhookTest } from '#shared/webhooks.ts';

type LastDelivery = NonNullable<Webhook['lastDelivery']>;

const eventWords: Record<LastDelivery['event'], string> = {
  'alert.raised': 'Alert raised',
  'alert.resolved': 'Alert resolved',
  'webhook.test': 'Test',
};

/** "Alert raised: it answers 503, tried 2 times" */
export function deliveryWords({ event, status, error, attempts, nextAt }: LastDelivery): string {
  const outcome = error ?? `received (${status})`;
  const tries = attempts > 1 ? `, tried ${attempts} times` : '';
  const isGivenUp = error !== null && nextAt === null && event !== 'webhook.test';
  return `${eventWords[event]}: ${outcome}${tries}${isGivenUp ? ', given up' : ''}`;
}

/** "Received: it answers 204 after 31 ms" */
export function testWords({ status, error, tookMs }: WebhookTest): string {
  return error === null
    ? `Received: it answers ${status} after ${tookMs} ms`
    : `Not received: ${error} (after ${tookMs} ms)`;
}

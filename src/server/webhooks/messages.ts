import type { alerts } from '#server/db/schema/alerts.ts';
import type { WebhookEvent } from '#shared/webhooks.ts';

type AlertRow = typeof alerts.$inferSelect;

/** What is sent of an alert, as JSON. `raised` tells of it as it was then, also when it is sent late. */
export function alertMessage(event: Exclude<WebhookEvent, 'webhook.test'>, alert: AlertRow): string {
  const { id, workspaceId, ruleId, name, type, metric, comparison, threshold, minutes, value } = alert;
  const isRaised = event === 'alert.raised';
  const { raisedAt, resolvedAt } = alert;
  return messageOf(event, (isRaised ? raisedAt : resolvedAt) ?? raisedAt, {
    id,
    workspaceId,
    ruleId,
    name,
    type,
    status: isRaised ? 'active' : 'resolved',
    metric,
    comparison,
    threshold,
    minutes,
    value,
    raisedAt,
    resolvedAt: isRaised ? null : resolvedAt,
  });
}

export function testMessage({ id, workspaceId, name }: TestedWebhook, now: Date): string {
  return messageOf('webhook.test', now, { workspaceId, webhookId: id, name });
}

interface TestedWebhook {
  id: number;
  workspaceId: number;
  name: string;
}

/** As Standard Webhooks has it: what happened, when, and to what. */
function messageOf(type: WebhookEvent, timestamp: Date, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import type { alerts } from '#server/db/schema/alerts.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema/webhooks.ts';
import type { WebhookEvent } from '#shared/webhooks.ts';
import { alertMessage } from './messages.ts';
import { makeMessageId } from './signature.ts';

/**
 * A message of each alert to each webhook of its workspace, in the transaction that raises or resolves them: what is committed will be sent, also by
 * another server or after a restart.
 */
export async function queueAlerts(
  db: Database,
  event: Exclude<WebhookEvent, 'webhook.test'>,
  { alerts: told, now }: { alerts: (typeof alerts.$inferSelect)[]; now: Date },
): Promise<void> {
  if (told.length === 0) return;
  const workspaceIds = [...new Set(told.map(({ workspaceId }) => workspaceId))];
  const receivers = await db
    .select({ id: webhooks.id, workspaceId: webhooks.workspaceId })
    .from(webhooks)
    .where(and(isAnyOf(webhooks.workspaceId, workspaceIds), eq(webhooks.isActive, true)));
  const rows = told.flatMap((alert) => {
    const body = alertMessage(event, alert);
    const own = receivers.filter(({ workspaceId }) => workspaceId === alert.workspaceId);
    return own.map(({ id: webhookId }) => ({
      webhookId,
      event,
      messageId: makeMessageId(),
      body,
      nextAt: now,
      createdAt: now,
    }));
  });
  for (let i = 0; i < rows.length; i += rowsAtOnce)
    await db.insert(webhookDeliveries).values(rows.slice(i, i + rowsAtOnce));
}

/** Postgres takes 65,535 parameters in a statement. */
const rowsAtOnce = 500;

import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { webhookDeliveries, type webhooks } from '#server/db/schema/webhooks.ts';
import { type Webhook, webhookShape } from '#shared/webhooks.ts';
import type { MemberContext } from './scope.ts';
import { toEntity } from './to-entity.ts';

type WebhookRow = typeof webhooks.$inferSelect;
type LastDelivery = NonNullable<Webhook['lastDelivery']>;

/** With what was sent to each last. */
export async function toWebhooks(
  { db }: Pick<MemberContext, 'db'>,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const last = new Map<number, LastDelivery>();
  for (const { id } of rows) {
    // One look into an index each: there are a handful.
    const [sent] = await db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.webhookId, id), isNotNull(webhookDeliveries.sentAt)))
      .orderBy(desc(webhookDeliveries.sentAt))
      .limit(1);
    if (sent?.sentAt)
      last.set(id, {
        event: sent.event,
        status: sent.status,
        error: sent.error,
        attempts: sent.attempts,
        sentAt: sent.sentAt.toISOString(),
        nextAt: sent.nextAt?.toISOString() ?? null,
      });
  }
  return rows.map((row) => toEntity(webhookShape, { ...row, lastDelivery: last.get(row.id) ?? null }));
}

import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { SecretBox } from '#server/auth/secrets/secret-box.ts';
import { webhookBinding } from '#server/auth/secrets/webhook-binding.ts';
import type { Database, RecordStore } from '#server/db/client.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { limits } from '#shared/limits.ts';
import { claimDue, release, type WebhookRow } from './claim.ts';
import type { Posted, Posting } from './post.ts';
import { signedHeaders } from './signature.ts';

export interface DeliverParts {
  record: RecordStore;
  secrets: SecretBox;
  log: Log;
  clock: () => Date;
  post: (posting: Posting, signal?: AbortSignal) => Promise<Posted>;
}

type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** By one server, of all workspaces. */
const sentAtOnce = 16;

/** How long after each attempt but the last comes the next: a receiver may be away for a night. */
const waitsSeconds = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000];

interface Delivering {
  signal?: AbortSignal;
  /** Ends once there may be more to send. */
  asked?: () => Promise<void>;
}

/** Sends what is due, until nothing is. Nobody waits for the slowest of those that are on their way: each that has ended makes room for another. */
export async function deliverDue(parts: DeliverParts, { signal, asked }: Delivering = {}): Promise<void> {
  const onTheirWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const send = (webhook: WebhookRow) => {
    const sending = deliverNext(parts, webhook, signal)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => onTheirWay.delete(sending));
    onTheirWay.add(sending);
  };
  try {
    while (!signal?.aborted && failures.length === 0) {
      const limit = sentAtOnce - onTheirWay.size;
      if (limit > 0) for (const one of await claimDue(parts.record, { now: parts.clock(), limit })) send(one);
      if (onTheirWay.size === 0) break;
      await Promise.race(asked ? [...onTheirWay, asked()] : onTheirWay);
    }
  } finally {
    await Promise.all(onTheirWay);
  }
  if (failures.length > 0) throw failures[0];
}

async function deliverNext(parts: DeliverParts, webhook: WebhookRow, signal?: AbortSignal): Promise<void> {
  const { record, clock } = parts;
  const [delivery] = await record.db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhook.id), lte(webhookDeliveries.nextAt, clock())))
    .orderBy(asc(webhookDeliveries.id))
    .limit(1);
  const posted = delivery && (await attempt(parts, { webhook, delivery }, signal));
  // What was broken off because the server stops, was no attempt.
  const outcome = posted && !(signal?.aborted && posted.status === null) ? posted : null;
  await record.write(
    async (db) => {
      const isOurs = await release(db, webhook, clock());
      if (!isOurs || !delivery || !outcome) return;
      const own = eq(webhookDeliveries.id, delivery.id);
      await db
        .update(webhookDeliveries)
        .set(after(delivery, outcome, clock()))
        .where(own);
      await tellChange(db, webhook);
    },
    { mayUseReserve: true },
  );
}

/** Whoever looks at the webhook sees what came of it: heard as what people do is, once it is committed. */
async function tellChange(db: Database, { id, workspaceId }: WebhookRow): Promise<void> {
  await db.execute(sql`select pg_notify('vectora_acts', ${`${workspaceId} webhooks.change ${id}`})`);
}

/** What a delivery becomes by an attempt. */
function after({ attempts }: DeliveryRow, { status, error }: Posted, now: Date): Partial<DeliveryRow> {
  const waitSeconds = waitsSeconds[attempts];
  const isOver = error === null || waitSeconds === undefined || attempts + 1 >= limits.webhookAttemptsMax;
  const nextAt = isOver ? null : new Date(now.getTime() + waitSeconds * 1_000);
  return { attempts: attempts + 1, status, error, sentAt: now, nextAt };
}

/** Sends a message once, signed for this moment. */
export async function attempt(
  { secrets, clock, log, post }: DeliverParts,
  { webhook, delivery }: { webhook: WebhookRow; delivery: Pick<DeliveryRow, 'messageId' | 'body'> },
  signal?: AbortSignal,
): Promise<Posted> {
  const { id, workspaceId, url } = webhook;
  const { messageId, body } = delivery;
  const secret = openSecret(secrets, webhook);
  if (secret === null) {
    log.warn('a webhook has a secret that cannot be read; it needs a new one', {
      workspaceId,
      webhookId: id,
    });
    return { status: null, error: 'its secret cannot be read; give it a new one', tookMs: 0 };
  }
  const timestamp = Math.floor(clock().getTime() / 1_000);
  const headers = signedHeaders(secret, { id: messageId, timestamp, body });
  const posted = await post(
    { url, headers: { ...headers, 'user-agent': 'Vectora-Webhooks/1' }, body },
    signal,
  );
  const { status, error, tookMs } = posted;
  log.info('webhook sent', { workspaceId, webhookId: id, messageId, status, error, tookMs });
  return posted;
}

/** Null: it was sealed with another application secret. */
function openSecret(secrets: SecretBox, { id, workspaceId, secret }: WebhookRow): string | null {
  try {
    return secrets.open(secret, webhookBinding(workspaceId, id));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

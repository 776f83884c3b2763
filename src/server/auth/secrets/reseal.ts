import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { secondFactors } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { webhooks } from '#server/db/schema/webhooks.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { keyBinding } from '../keys/key-format.ts';
import { secretBinding } from '../second-factor/spend-code.ts';
import type { SecretBox } from './secret-box.ts';
import { webhookBinding } from './webhook-binding.ts';

interface Sealed {
  id: number;
  sealed: Uint8Array;
  binding: string;
}

interface SealedTable {
  name: 'apiKeys' | 'secondFactors' | 'webhooks';
  /** In the order of their ids, those after this one. */
  read(after: number): Promise<Sealed[]>;
  write(tx: Database, row: Sealed, renewed: Uint8Array): Promise<unknown>;
}

const rowsAtOnce = 500;

/**
 * At the start with a new application secret: what the former one sealed is sealed with the new one. A start that was interrupted goes on
 * at the next; what neither opens stays as it is.
 */
export async function reseal(parts: {
  record: RecordStore;
  secrets: SecretBox;
  former: SecretBox;
  log: Log;
}): Promise<void> {
  const { log } = parts;
  for (const table of sealedTables(parts.record)) {
    const counts = await resealTable(parts, table);
    log.info('sealed with the new application secret', { what: table.name, ...counts });
  }
}

function sealedTables({ db }: RecordStore): SealedTable[] {
  const { id, projectId, ciphertext } = apiKeys;
  const { userId, secret } = secondFactors;
  return [
    {
      name: 'apiKeys',
      async read(after) {
        const rows = db.select({ id, projectId, ciphertext }).from(apiKeys).where(gt(id, after));
        return (await rows.orderBy(asc(id)).limit(rowsAtOnce)).map((row) => ({
          id: row.id,
          sealed: row.ciphertext,
          binding: keyBinding(row.projectId, row.id),
        }));
      },
      write: (tx, row, renewed) =>
        tx
          .update(apiKeys)
          .set({ ciphertext: renewed })
          .where(and(eq(id, row.id), eq(ciphertext, row.sealed))),
    },
    {
      name: 'secondFactors',
      async read(after) {
        const rows = db.select({ id: userId, secret }).from(secondFactors).where(gt(userId, after));
        return (await rows.orderBy(asc(userId)).limit(rowsAtOnce)).map((row) => ({
          id: row.id,
          sealed: row.secret,
          binding: secretBinding(row.id),
        }));
      },
      write: (tx, row, renewed) =>
        tx
          .update(secondFactors)
          .set({ secret: renewed })
          .where(and(eq(userId, row.id), eq(secret, row.sealed))),
    },
    {
      name: 'webhooks',
      async read(after) {
        const rows = db
          .select({ id: webhooks.id, workspaceId: webhooks.workspaceId, sealed: webhooks.secret })
          .from(webhooks)
          .where(gt(webhooks.id, after));
        return (await rows.orderBy(asc(webhooks.id)).limit(rowsAtOnce)).map((row) => ({
          id: row.id,
          sealed: row.sealed,
          binding: webhookBinding(row.workspaceId, row.id),
        }));
      },
      write: (tx, row, renewed) =>
        tx
          .update(webhooks)
          .set({ secret: renewed })
          .where(and(eq(webhooks.id, row.id), eq(webhooks.secret, row.sealed))),
    },
  ];
}

async function resealTable(
  { record, secrets, former }: { record: RecordStore; secrets: SecretBox; former: SecretBox },
  table: SealedTable,
): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  let after = 0;
  for (;;) {
    const rows = await table.read(after);
    const last = rows.at(-1);
    if (!last) return counts;
    after = last.id;
    const stale = rows.filter(({ sealed, binding }) => opened(secrets, sealed, binding) === null);
    const readable = stale.flatMap((row) => {
      const plain = opened(former, row.sealed, row.binding);
      return plain === null ? [] : { row, renewed: secrets.seal(plain, row.binding) };
    });
    if (readable.length > 0) {
      await record.write(async (tx) => {
        for (const { row, renewed } of readable) await table.write(tx, row, renewed);
      });
    }
    counts.resealed += readable.length;
    counts.unreadable += stale.length - readable.length;
  }
}

/** Null: it was sealed with another secret, or is damaged. */
function opened(box: SecretBox, sealed: Uint8Array, binding: string): string | null {
  try {
    return box.open(sealed, binding);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

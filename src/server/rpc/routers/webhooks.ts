import { and, eq, isNotNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { webhookBinding } from '#server/auth/secrets/webhook-binding.ts';
import type { Database } from '#server/db/client.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema/webhooks.ts';
import { AppError, notFound } from '#server/errors.ts';
import { testMessage } from '#server/webhooks/messages.ts';
import { makeMessageId, makeWebhookSecret } from '#server/webhooks/signature.ts';
import { limits } from '#shared/limits.ts';
import {
  newWebhookShape,
  type Webhook,
  webhookCreate,
  webhookList,
  webhookRef,
  webhookShape,
  webhookTestShape,
  webhookUpdate,
} from '#shared/webhooks.ts';
import { auditBefore } from '../act.ts';
import { getWebhook } from '../get-webhook.ts';
import { readPage } from '../read-page.ts';
import { changesOf } from '../record-act.ts';
import { getWorkspace, type MemberContext, type WorkspaceRow } from '../scope.ts';
import { toWebhooks } from '../to-webhook.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

type WebhookRow = typeof webhooks.$inferSelect;

async function toWebhook(ctx: Pick<MemberContext, 'db'>, row: WebhookRow): Promise<Webhook> {
  const [webhook] = await toWebhooks(ctx, [row]);
  if (!webhook) throw new Error('a webhook was not answered');
  return webhook;
}

/** An act on the workspace's webhooks. */
const actOf = ({ id, name }: WorkspaceRow, changed: { before?: object; after?: object }) => ({
  workspaceId: id,
  target: { kind: 'workspace' as const, id, name },
  ...(changed.before && { before: { ...changed.before } }),
  ...(changed.after && { after: { ...changed.after } }),
});

/** The rest of an address is a secret of some receivers. */
const told = ({ name, url, isActive }: WebhookRow) => ({ webhook: name, to: new URL(url).origin, isActive });

/** Its id is part of what the secret is sealed for. Answers the secret itself. */
async function giveSecret(
  { deps, db }: { deps: MemberContext['deps']; db: Database },
  { id, workspaceId }: Pick<WebhookRow, 'id' | 'workspaceId'>,
): Promise<{ row: WebhookRow; secret: string }> {
  const secret = makeWebhookSecret();
  const sealed = deps.secrets.seal(secret, webhookBinding(workspaceId, id));
  const [row] = await db
    .update(webhooks)
    .set({ secret: sealed, updatedAt: deps.clock() })
    .where(eq(webhooks.id, id))
    .returning();
  if (!row) throw notFound('Webhook');
  return { row, secret };
}

export const webhooksRouter = router({
  list: memberProcedure('admin')
    .meta({
      rest: {
        at: 'GET /api/webhooks',
        summary: 'List where a workspace’s alerts are sent, with what was sent last',
        answer: 'page',
        output: z.array(webhookShape),
      },
    })
    .input(webhookList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select()
          .from(webhooks)
          .where(and(eq(webhooks.workspaceId, id), narrow))
          .orderBy(webhooks.id);
      return await toWebhooks(ctx, await readPage(ctx, input, { id: webhooks.id, rows }));
    }),

  create: memberProcedure('admin')
    .meta({
      act: 'Webhook created',
      rest: {
        at: 'POST /api/webhooks',
        summary: 'Have a workspace’s alerts sent to an address',
        description: 'The answer has the secret that messages are signed with; it is not shown again.',
        example: { workspaceId: 1, name: 'On call', url: 'https://hooks.example.com/vectora' },
        answer: 'created',
        output: newWebhookShape,
      },
    })
    .input(webhookCreate)
    // Before the transaction: to look up a name may take seconds.
    .use(async ({ ctx, input, next }) => {
      await getWorkspace(ctx, input.workspaceId);
      await ctx.deps.webhooks.assertAllowed(input.url);
      return next();
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      // One after the other, so that none counts while another is being added.
      const workspace = await getWorkspace(ctx, input.workspaceId, 'no key update');
      const existing = await ctx.db.$count(webhooks, eq(webhooks.workspaceId, workspace.id));
      if (existing >= limits.webhooksMax)
        throw new AppError('UNPROCESSABLE', `A workspace has at most ${limits.webhooksMax} webhooks`);
      const now = ctx.deps.clock();
      const [inserted] = await ctx.db
        .insert(webhooks)
        .values({ ...input, secret: new Uint8Array(), createdAt: now, updatedAt: now })
        .returning();
      if (!inserted) throw new Error('the inserted webhook was not returned');
      const { row, secret } = await giveSecret(ctx, inserted);
      ctx.audit(actOf(workspace, { after: told(row) }));
      return { ...(await toWebhook(ctx, row)), secret };
    }),

  /** What waits is not sent by one that is paused, not later either: an alert of yesterday helps nobody. */
  update: memberProcedure('admin')
    .meta({
      act: 'Webhook updated',
      rest: {
        at: 'PUT /api/webhooks/{id}',
        summary: 'Change a webhook, or pause it',
        example: { id: 1, isActive: false },
        output: webhookShape,
      },
    })
    .input(webhookUpdate)
    .use(async ({ ctx, input: { id, url }, next }) => {
      await getWebhook(ctx, id);
      if (url !== undefined) await ctx.deps.webhooks.assertAllowed(url);
      return next();
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, ...changes } }) => {
      const { webhook, workspace } = await getWebhook(ctx, id);
      const [updated] = await ctx.db
        .update(webhooks)
        .set({ ...changes, updatedAt: ctx.deps.clock() })
        .where(eq(webhooks.id, id))
        .returning();
      if (!updated) throw notFound('Webhook');
      if (!updated.isActive) {
        const waiting = and(eq(webhookDeliveries.webhookId, id), isNotNull(webhookDeliveries.nextAt));
        await ctx.db.update(webhookDeliveries).set({ nextAt: null }).where(waiting);
      }
      const { before, after } = changesOf(told(updated), told(webhook), told(updated));
      ctx.audit(actOf(workspace, { before: { webhook: webhook.name, ...before }, after: { ...after } }));
      return await toWebhook(ctx, updated);
    }),

  /** At once: what its receiver refuses until it knows the new secret is tried again. */
  rotate: memberProcedure('admin')
    .meta({
      act: 'Webhook given a new secret',
      rest: {
        at: 'POST /api/webhooks/{id}/rotate',
        summary: 'Give a webhook a new secret',
        description: 'The answer has it; it is not shown again. The former one signs nothing any more.',
        body: null,
        output: newWebhookShape,
      },
    })
    .input(webhookRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { webhook, workspace } = await getWebhook(ctx, input.id);
      const { row, secret } = await giveSecret(ctx, webhook);
      ctx.audit(actOf(workspace, { after: { webhook: row.name } }));
      return { ...(await toWebhook(ctx, row)), secret };
    }),

  /** Sends a message at once, and once. */
  test: memberProcedure('admin')
    .meta({
      act: 'Webhook tested',
      rest: {
        at: 'POST /api/webhooks/{id}/test',
        summary: 'Send a test to a webhook, and see what it answers',
        body: null,
        output: webhookTestShape,
      },
    })
    .input(webhookRef)
    .mutation(async ({ ctx, input }) => {
      const { webhook, workspace } = await getWebhook(ctx, input.id);
      ctx.deps.webhooks.assertMayTest(ctx.requester);
      const act = actOf(workspace, { after: { webhook: webhook.name } });
      await auditBefore(ctx, { ...act, action: 'webhooks.test' });
      const { record, clock } = ctx.deps;
      const createdAt = clock();
      const delivery = { messageId: makeMessageId(), body: testMessage(webhook, createdAt) };
      const posted = await ctx.deps.webhooks.send({ webhook, delivery });
      const { status, error } = posted;
      const outcome = {
        event: 'webhook.test',
        attempts: 1,
        status,
        error,
        sentAt: clock(),
        createdAt,
      } as const;
      const row = { ...delivery, ...outcome, webhookId: webhook.id };
      await record.write(async (db) => {
        // It may have been deleted meanwhile.
        const [living] = await db
          .select({ id: webhooks.id })
          .from(webhooks)
          .where(eq(webhooks.id, webhook.id))
          .for('key share');
        if (living) await db.insert(webhookDeliveries).values(row);
      });
      return posted;
    }),

  delete: memberProcedure('admin')
    .meta({
      act: 'Webhook deleted',
      rest: { at: 'DELETE /api/webhooks/{id}', summary: 'Delete a webhook', output: webhookShape },
    })
    .input(webhookRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const { webhook, workspace } = await getWebhook(ctx, input.id);
      const deleted = await toWebhook(ctx, webhook);
      await ctx.db.delete(webhooks).where(eq(webhooks.id, webhook.id));
      ctx.audit(actOf(workspace, { before: told(webhook) }));
      return deleted;
    }),
});

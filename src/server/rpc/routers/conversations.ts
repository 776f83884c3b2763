import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { isShared } from '#server/auth/keys/shared-key.ts';
import { conversationMessages, conversations } from '#server/db/schema/conversations.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import {
  type ConversationMessage,
  type ConversationWithMessages,
  conversationGet,
  conversationList,
  conversationRef,
  conversationShape,
  conversationUpdate,
} from '#shared/chat.ts';
import { conversationWithMessages } from '#shared/chat-answers.ts';
import {
  getConversation,
  restoreConversation,
  selectConversations,
  toConversation,
} from '../conversations.ts';
import { readPage } from '../read-page.ts';
import { findStaleSources } from '../stale-sources.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';

type MessageRow = typeof conversationMessages.$inferSelect;

/** Conversations are their owner's alone: the user's or the key's that began them. */
export const conversationsRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/conversations',
        summary: 'List your conversations',
        description: 'Empty for a key that may only read, which many may share.',
        answer: 'page',
        output: z.array(conversationShape),
      },
    })
    .input(conversationList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { projectId, workspaceId } = input;
      const which = and(
        isShared(ctx.principal) ? sql`false` : undefined,
        projectId === undefined ? undefined : eq(conversations.projectId, projectId),
        workspaceId === undefined ? undefined : eq(projects.workspaceId, workspaceId),
      );
      const rows = (narrow?: SQL) => selectConversations(ctx, and(which, narrow));
      return (await readPage(ctx, input, { id: conversations.id, rows })).map(toConversation);
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/conversations/{id}',
        summary: 'Get a conversation with its messages, and which answers are out of date',
        answer: 'page',
        output: conversationWithMessages,
      },
    })
    .input(conversationGet)
    .query(async ({ ctx, input }): Promise<ConversationWithMessages> => {
      const conversation = await getConversation(ctx, input.id, input.token);
      const inIt = eq(conversationMessages.conversationId, conversation.id);
      const selectMessages = (narrow?: SQL) =>
        ctx.db.select().from(conversationMessages).where(and(inIt, narrow)).orderBy(conversationMessages.id);
      const rows = await readPage(ctx, input, { id: conversationMessages.id, rows: selectMessages });
      const stale = await findStaleSources(
        ctx.db,
        rows.map(({ id }) => id),
      );
      const messages = rows.map((row) => toMessage(row, stale.get(row.id) ?? []));
      return { ...toConversation(conversation), messages };
    }),

  update: keyProcedure('write')
    .meta({
      act: 'Conversation renamed',
      rest: {
        at: 'PUT /api/conversations/{id}',
        summary: 'Rename a conversation',
        example: { id: 1, name: 'About robots' },
        output: conversationShape,
      },
    })
    .input(conversationUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, name } }) => {
      const before = await getConversation(ctx, id);
      const [updated] = await ctx.db
        .update(conversations)
        .set({ name })
        .where(and(eq(conversations.id, id), isNull(conversations.deletedAt)))
        .returning();
      if (!updated) throw notFound('Conversation');
      // Not what it is called: an audit is read by others than the owner.
      ctx.audit({ workspaceId: before.workspaceId, target: null, after: { conversation: id } });
      return toConversation({ ...before, ...updated });
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Conversation deleted',
      rest: {
        at: 'DELETE /api/conversations/{id}',
        summary: 'Delete a conversation',
        output: conversationShape,
      },
    })
    .input(conversationRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input: { id } }) => {
      const conversation = await getConversation(ctx, id);
      const [deleted] = await ctx.db
        .update(conversations)
        .set({ deletedAt: ctx.deps.clock() })
        .where(and(eq(conversations.id, id), isNull(conversations.deletedAt)))
        .returning();
      if (!deleted) throw notFound('Conversation');
      const { workspaceId, messageCount } = conversation;
      ctx.audit({ workspaceId, target: null, before: { conversation: id, messages: messageCount } });
      return toConversation(conversation);
    }),

  /** For the console's Undo. */
  restore: keyProcedure('write')
    .meta({ act: 'Conversation restored' })
    .input(conversationRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id } }) => {
      const restored = await restoreConversation(ctx, id);
      ctx.audit({ workspaceId: restored.workspaceId, target: null, after: { conversation: id } });
      return toConversation(restored);
    }),
});

function toMessage(
  { id, role, content, answer, createdAt }: MessageRow,
  stale: number[],
): ConversationMessage {
  const base = { id, content, createdAt: createdAt.toISOString() };
  if (role === 'user' || answer === null) return { ...base, role: 'user' };
  const { collections = [] } = answer;
  return { ...base, role: 'assistant', ...answer, collections, stale: stale.length > 0, staleSources: stale };
}

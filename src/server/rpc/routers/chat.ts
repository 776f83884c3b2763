import type { z } from 'zod';
import { beginnerOf, conversationToken } from '#server/auth/keys/shared-key.ts';
import type { KnownCollection } from '#server/auth/known/known-callers.ts';
import { badRequest } from '#server/errors.ts';
import { bodyLimits } from '#server/wire/body-limits.ts';
import { type ChatAnswer, chatInput, suggestedQuestionsInput } from '#shared/chat.ts';
import { chatAnswerShape } from '#shared/chat-answers.ts';
import { assertRoomFor, getConversation, keepTurn, readTurns } from '../conversations.ts';
import { findActiveCollections } from '../known-collections.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { CallerContext } from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

type ChatInput = z.output<typeof chatInput>;

export const chatRouter = router({
  ask: keyProcedure('read')
    .meta({
      rest: {
        at: ['POST /api/collections/{name:collection}/chat', 'POST /api/chat'],
        summary: 'Ask a question about the documents, and be answered with citations',
        description: 'It answers from what is found and quotes it, or says that nothing was found.',
        example: {
          collection: 'films',
          message: 'Who directed Blade Runner?',
          context_limit: 5,
          conversation_id: null,
        },
        playground: 'Search',
        bodyLimits: bodyLimits.search,
        answer: 'events',
        output: chatAnswerShape,
      },
    })
    .input(chatInput)
    .mutation(async ({ ctx, input }): Promise<ChatAnswer> => {
      const startedAt = performance.now();
      const collections = await collectionsOf(ctx, input);
      const [{ projectId, for: requester }] = collections;
      const { message, model, context_limit: contextLimit, conversation_id: id } = input;
      const conversation = id == null ? null : await getConversation(ctx, id, input.conversation_token);
      if (conversation && conversation.projectId !== projectId)
        throw badRequest('conversation_id', 'is about the collections of another project');
      if (conversation) assertRoomFor(conversation.messageCount);
      const turns = conversation ? await readTurns(ctx.db, conversation.id) : [];
      // Before anything is spent on an answer that could not be kept.
      await ctx.deps.record.assertWritable();
      const answered = await ctx.deps.chat.ask(
        { collections, message, contextLimit, model, turns, for: requester },
        {
          signal: ctx.request.signal,
          tell: ctx.tellEvent,
          waitElsewhere: ctx.waitElsewhere,
          hold: ctx.held.answer.add,
        },
      );
      // What nobody hears is not kept.
      ctx.request.signal.throwIfAborted();
      const now = ctx.deps.clock();
      const beginner = beginnerOf(ctx, ctx.request.address);
      const conversationId = await ctx.deps.record.write((db) =>
        keepTurn(db, ctx.principal, { conversation, beginner, projectId, message, answered, now }),
      );
      const begun = { id: conversationId, createdAt: conversation?.createdAt ?? now };
      const { cited: _, ...answer } = answered;
      const tookMs = Math.round(performance.now() - startedAt);
      return {
        ...answer,
        conversation_id: conversationId,
        conversation_token: conversationToken(ctx, begun),
        took_ms: tookMs,
      };
    }),

  /** For the console: which models can be asked, and what the others lack. */
  models: keyProcedure('read').query(({ ctx }) => ctx.deps.chat.models()),

  /** For the console, before the first question: some that these collections answer. */
  suggestions: keyProcedure('read')
    .input(suggestedQuestionsInput)
    .query(async ({ ctx, input }) => {
      const collections = await collectionsOf(ctx, input);
      const { signal } = ctx.request;
      return await oneAtATime(ctx, ({ raiseTo }) =>
        ctx.deps.chat.suggest(collections, { signal, holdInAll: raiseTo }),
      );
    }),
});

/** Each once. @throws AppError as for a search, BAD_REQUEST where they are of several projects */
async function collectionsOf(
  ctx: CallerContext,
  { collection, collections = [] }: Pick<ChatInput, 'collection' | 'collections'>,
): Promise<[KnownCollection, ...KnownCollection[]]> {
  const references = collection === undefined ? collections : [collection];
  const find = await findActiveCollections(ctx, references);
  const found = new Map(references.map((reference) => find(reference)).map((each) => [each.id, each]));
  const [first, ...others] = found.values();
  if (!first) throw badRequest('collections', 'is required');
  // Whoever may not see the project any more does not see what was said of it either.
  if (others.some(({ projectId }) => projectId !== first.projectId))
    throw badRequest('collections', 'must be of one project');
  return [first, ...others];
}

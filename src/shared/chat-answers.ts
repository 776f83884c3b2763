import { z } from 'zod';
import {
  type AssistantMessage,
  type ChatAnswer,
  type ConversationWithMessages,
  chatModels,
  conversationShape,
} from './chat.ts';
import { moment } from './fields.ts';
import { collectionLabel } from './search-answers.ts';

/** What chat answers, as the API's description tells it. */

const source = z
  .object({
    id: z.string(),
    title: z.string(),
    snippet: z.string().describe('Plain text of the document: what was most about the question'),
    score: z.number().describe('Of the search that found it'),
    collection: collectionLabel,
  })
  .meta({
    id: 'ChatSource',
    description: 'A document that the answer may rest on; `[n]` in the answer is the nth of them',
  });

const sentence = z.object({
  start: z.int(),
  end: z.int(),
  supported: z.boolean().describe('Whether a source says so'),
  citations: z
    .array(z.object({ source: z.int(), field: z.string(), start: z.int(), end: z.int() }))
    .describe('Where in sources it stands: UTF-16 offsets in the text of a field'),
});

/** What is kept of an answer beside its text. */
const stored = {
  answered: z.boolean().describe('False: nothing was found about it, and the answer says so'),
  collections: z.array(collectionLabel).describe('Those that were asked'),
  model: z.enum(chatModels),
  question: z.string().describe('The message, with what it takes from the conversation put in'),
  sources: z.array(source),
  sentences: z.array(sentence),
};

export const chatAnswerShape = z
  .object({
    answer: z.string(),
    ...stored,
    conversation_id: z.int(),
    conversation_token: z
      .string()
      .nullable()
      .describe(
        'For a key that may only read, which many may share: what its conversation is read and gone on with by',
      ),
    took_ms: z.number(),
  })
  .meta({ id: 'ChatAnswer' }) satisfies z.ZodType<ChatAnswer>;

const message = { id: z.int(), content: z.string(), createdAt: moment };

const assistantMessage = z.object({
  ...message,
  role: z.literal('assistant'),
  ...stored,
  stale: z.boolean().describe('A cited document was changed or is gone'),
  staleSources: z.array(z.int()).describe('Those of `sources`, as `[n]` counts'),
}) satisfies z.ZodType<AssistantMessage>;

export const conversationWithMessages = conversationShape
  .extend({
    messages: z.array(z.union([z.object({ ...message, role: z.literal('user') }), assistantMessage])),
  })
  .meta({ id: 'ConversationWithMessages' }) satisfies z.ZodType<ConversationWithMessages>;

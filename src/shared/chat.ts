import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentedAs } from './documented-as.ts';
import type { ErrorBody } from './errors.ts';
import { entityId, moment, name } from './fields.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { isAnything, listOf, wholeNumber } from './parameters.ts';
import type { CollectionLabel } from './search.ts';

/** `vector-ai` is built in and quotes; the others write, and need a key of their provider's. */
export const chatModels = ['vector-ai', 'gpt-4', 'claude'] as const;
export type ChatModel = (typeof chatModels)[number];

const message = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(limits.chatMessageCharactersMax, `must be at most ${limits.chatMessageCharactersMax} characters`)
  .refine((text) => !text.includes('\u0000'), 'must not contain U+0000')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode');

/** As it was answered with the conversation. */
const conversationToken = z.string().max(limits.nameCharactersMax);

const asked = {
  collection: collectionName.optional(),
  /** Names or ids, all of one project. */
  collections: documentedAs(
    listOf({ min: 1, max: limits.chatCollectionsMax, isItem: isAnything }, z.unknown()).pipe(
      z.array(collectionName),
    ),
    z.array(collectionName).min(1).max(limits.chatCollectionsMax),
  ).optional(),
};

const isEither = ({ collection, collections }: { collection?: unknown; collections?: unknown }) =>
  (collection === undefined) !== (collections === undefined);
const needsEither = 'needs either "collection" or "collections"';

export const chatInput = z
  .strictObject({
    ...asked,
    message,
    /** Documents that the answer may rest on. */
    context_limit: wholeNumber(1, limits.chatSourcesMax).default(5),
    /** Absent or null: a new one is begun. */
    conversation_id: entityId.nullish(),
    /** Of that conversation; a key that may only read needs it. */
    conversation_token: conversationToken.nullish(),
    model: z.enum(chatModels).default('vector-ai'),
  })
  .refine(isEither, needsEither);

/** Which collections questions are suggested about. */
export const suggestedQuestionsInput = z.strictObject(asked).refine(isEither, needsEither);
export const suggestedQuestionsMax = 4;

/** A model, and whether it can be asked. */
export interface OfferedModel {
  model: ChatModel;
  /** The server's setting that is missing; null: it can be asked. */
  needs: string | null;
}

/** A document that the answer may rest on; `[n]` in the answer is the nth of them. */
export interface ChatSource {
  id: string;
  title: string;
  /** Plain text of the document: what was most about the question. */
  snippet: string;
  /** Of the search that found it. */
  score: number;
  collection: CollectionLabel;
}

/** Where in a source something stands: UTF-16 offsets in the text of a field. Elements of a list are named by their place, `tags.0`. */
export interface Citation {
  /** As `[n]` counts. */
  source: number;
  field: string;
  start: number;
  end: number;
}

/** A sentence of the answer: from `start` to `end`, its `[n]` not among it. */
export interface AnswerSentence {
  start: number;
  end: number;
  /** Whether a source says so. */
  supported: boolean;
  citations: Citation[];
}

export interface ChatAnswer {
  answer: string;
  /** False: nothing was found about it, and the answer says so. */
  answered: boolean;
  /** Those that were asked. */
  collections: CollectionLabel[];
  conversation_id: number;
  /** For a key that may only read: by what the conversation is reached, beside its id. */
  conversation_token: string | null;
  model: ChatModel;
  /** What was understood: the message, with what it takes from the conversation put in. */
  question: string;
  sources: ChatSource[];
  sentences: AnswerSentence[];
  took_ms: number;
}

/** What `text/event-stream` tells, in this order; `delta`s together are the answer, and `error` may end it at any place. */
export type ChatEvent =
  | { event: 'sources'; data: { question: string; sources: ChatSource[] } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'citation'; data: AnswerSentence }
  | { event: 'done'; data: ChatAnswer }
  | { event: 'error'; data: ErrorBody };

export const conversationShape = z
  .object({
    id: z.int(),
    /** The first message, unless it was renamed. */
    name,
    projectId: z.int(),
    messageCount: z.int(),
    createdAt: moment,
    /** When it went on last. */
    updatedAt: moment,
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof conversationShape>;

interface UserMessage {
  id: number;
  role: 'user';
  content: string;
  createdAt: string;
}

export interface AssistantMessage extends Omit<UserMessage, 'role'>, ToldAnswer {
  role: 'assistant';
  /** A cited document was changed or is gone: those of `sources`, as `[n]` counts. */
  stale: boolean;
  staleSources: number[];
}

type ToldAnswer = Pick<
  ChatAnswer,
  'answered' | 'collections' | 'model' | 'question' | 'sources' | 'sentences'
>;

/** What is kept of an answer beside its text. Older ones do not say which collections were asked. */
export type StoredAnswer = Omit<ToldAnswer, 'collections'> & Partial<Pick<ToldAnswer, 'collections'>>;

export type ConversationMessage = UserMessage | AssistantMessage;

/** A page of its messages, the first ones first. */
export type ConversationWithMessages = Conversation & { messages: ConversationMessage[] };

export const conversationList = z.strictObject({
  projectId: entityId.optional(),
  workspaceId: entityId.optional(),
  ...pageFields,
});
export const conversationRef = z.strictObject({ id: entityId });
export const conversationGet = conversationRef.extend({ token: conversationToken.optional(), ...pageFields });
export const conversationUpdate = conversationRef.extend({ name });

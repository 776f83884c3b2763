import type { ChatModel, ChatSource } from '#shared/chat.ts';

/** Where a question belongs: to a conversation, or to the one that it begins in a workspace. */
export type Thread = `conversation ${number}` | `new in ${number}`;

/**
 * A question that is not yet, or not at all, in the record. They live outside of React: an answer goes on while the reader looks at other pages, and
 * what came of one that broke off is kept.
 */
export interface Question {
  key: string;
  userId: number;
  thread: Thread;
  message: string;
  collections: number[];
  model: ChatModel;
  /** The newest id that was known when it was asked: of the conversation's messages, or of the conversations where it begins one. */
  after: number;
  /** `answered`: it is in the record too. `interrupted`: the page was left or loaded anew meanwhile. */
  state: 'asking' | 'answered' | 'stopped' | 'failed' | 'interrupted';
  /** What was understood; null: not known yet, as the sources. */
  understood: string | null;
  sources: ChatSource[] | null;
  /** What came of the answer so far. */
  text: string;
  failure: Failure | null;
  /** Known once it is answered. */
  conversationId: number | null;
}

export interface Failure {
  message: string;
  requestId: string | null;
  /** The model cannot be asked as it is. */
  isOfModel: boolean;
}

export type NewQuestion = Pick<Question, 'userId' | 'thread' | 'message' | 'collections' | 'model' | 'after'>;

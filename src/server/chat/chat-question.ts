import type { Requester } from '#server/admission/requester.ts';
import type { ChatAnswer, ChatModel } from '#shared/chat.ts';
import type { Turn } from './resolve-follow-up.ts';
import type { AskedCollection } from './retrieve.ts';

export interface ChatQuestion {
  collections: AskedCollection[];
  message: string;
  contextLimit: number;
  model: ChatModel;
  /** The conversation so far, its end at least. */
  turns: Turn[];
  for: Requester;
}

/** A document that an answer cites, in the version that it quotes. */
export interface CitedDocument {
  /** Which of the answer's sources, from 1. */
  source: number;
  collectionId: number;
  documentId: string;
  version: number;
}

export interface Answered extends Omit<ChatAnswer, 'conversation_id' | 'conversation_token' | 'took_ms'> {
  cited: CitedDocument[];
}

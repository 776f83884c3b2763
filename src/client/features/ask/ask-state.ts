import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam, textParam } from '#client/lib/search-params.ts';
import type { ChatModel } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';

/** Not taken from the API's schemas, which would come along into the first load. */
export const models: readonly ChatModel[] = ['vector-ai', 'gpt-4', 'claude'];

/** What the address says beside the conversation, which is in its path. */
export interface AskState {
  model: ChatModel;
  /** Ids; absent: those that were asked last, or all of the project. */
  collections?: number[] | undefined;
  /** The source that is open beside the answer: see `OpenSource`. */
  source?: string | undefined;
}

export const askDefaults = { model: 'vector-ai' } as const satisfies Partial<AskState>;

/** What cannot be read falls back. */
export function askState(search: Partial<AskState> & SearchSchemaInput): AskState {
  return {
    model: choiceParam(search.model, models, askDefaults.model),
    collections: idsParam(search.collections),
    source: textParam(search.source, sourceCharactersMax) || undefined,
  };
}

const sourceCharactersMax = 64;

function idsParam(value: unknown): number[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.chatCollectionsMax)
    return undefined;
  return value.every((id) => Number.isSafeInteger(id) && id > 0) ? value : undefined;
}

/** A source of an answer: the answer's message, the source's number as `[n]` counts, and the sentence that cites it, if it was opened from one. */
export interface OpenSource {
  message: number;
  number: number;
  sentence: number | null;
}

export function sourceText({ message, number, sentence }: OpenSource): string {
  return [message, number, ...(sentence === null ? [] : [sentence])].join('.');
}

export function openSource(text: string | undefined): OpenSource | null {
  const [, message, number, sentence] = /^(\d{1,15})\.(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text ?? '') ?? [];
  if (message === undefined) return null;
  return {
    message: Number(message),
    number: Number(number),
    sentence: sentence === undefined ? null : Number(sentence),
  };
}

/** How a change enters the browser's history. */
export type ChangeAsk = (change: Partial<AskState>, options?: { replace?: boolean }) => void;

import type { JsonValue } from '#shared/documents.ts';
import { cutText } from './cut-text.ts';

export const titleCharactersMax = 160;
export const titleFields = ['title', 'name'];

export function titleFieldOf(document: Record<string, JsonValue>): string | undefined {
  return titleFields.find((field) => typeof document[field] === 'string' && document[field] !== '');
}

/** What a document is called. */
export function titleOf(id: string, document: Record<string, JsonValue>): string {
  const field = titleFieldOf(document);
  return field === undefined ? id : cutText(String(document[field]), titleCharactersMax);
}

import type { JsonValue } from '#shared/documents.ts';

const titleFields = ['title', 'name'];

/** The field that says what a document is called; undefined: it has none. */
export function titleFieldOf(document: Record<string, JsonValue>): string | undefined {
  return titleFields.find((field) => typeof document[field] === 'string' && document[field] !== '');
}

/** What a document is called: its title, or else its id. */
export function documentTitle(id: string, document: Record<string, JsonValue>): string {
  const field = titleFieldOf(document);
  return field === undefined ? id : String(document[field]);
}

import { cutText } from '#client/lib/cut-text.ts';
import type { JsonValue } from '#shared/documents.ts';
import { valuesAt } from './values-at.ts';

const cellCharactersMax = 160;

/** What a cell of the table shows; empty: nothing stands at the path. */
export function cellText(document: Record<string, JsonValue>, path: string): string {
  return cutText(valuesAt(document, path).map(textOf).join(', '), cellCharactersMax);
}

function textOf(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

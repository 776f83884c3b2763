import type { JsonValue } from '#shared/documents.ts';
import type { SearchHit } from '#shared/search.ts';

/** A hit as people read it: a title, a text, some facts. All three are escaped snippets with `<mark>` where words matched. */
export interface HitText {
  title: string;
  text: string | null;
  fields: { name: string; value: string }[];
}

const textCharactersMax = 280;
/** A shorter string is a label, not a text. */
const textCharactersMin = 40;
const valueCharactersMax = 80;
const fieldsMax = 6;
const titleFields = ['title', 'name'];

export function cardOf({
  id,
  document,
  highlights,
}: Pick<SearchHit, 'id' | 'document' | 'highlights'>): HitText {
  const snippets = new Map(highlights.map(({ field, snippet }) => [field, snippet]));
  const entries = Object.entries(document).filter(([field]) => field !== 'id');
  const titleField = titleFields.find((field) => typeof document[field] === 'string');
  const textField = longestText(entries, titleField, snippets);
  const shown = (field: string, max: number) =>
    snippets.get(field) ?? escapeText(cut(describe(document[field] ?? null), max));

  return {
    title: titleField ? shown(titleField, valueCharactersMax * 2) : escapeText(id),
    text: textField ? shown(textField, textCharactersMax) : null,
    fields: entries
      .filter(([field, value]) => field !== titleField && field !== textField && isFact(value))
      .slice(0, fieldsMax)
      .map(([field]) => ({ name: field, value: shown(field, valueCharactersMax) })),
  };
}

/** The field to read: the longest text that matched, else the longest text that is no mere label. */
function longestText(
  entries: [string, JsonValue][],
  titleField: string | undefined,
  snippets: Map<string, string>,
): string | null {
  const texts = entries.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[0] !== titleField && entry[1].length >= textCharactersMin,
  );
  const matched = texts.filter(([field]) => snippets.has(field));
  const [best] = (matched.length > 0 ? matched : texts).toSorted((a, b) => b[1].length - a[1].length);
  return best ? best[0] : null;
}

function isFact(value: JsonValue): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= valueCharactersMax;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => typeof item !== 'object');
  return typeof value === 'number' || typeof value === 'boolean';
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(describe).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  return `${text.slice(0, space > max / 2 ? space : max)}…`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

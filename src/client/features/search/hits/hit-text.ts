import { cutText } from '#client/lib/cut-text.ts';
import { titleCharactersMax, titleFieldOf } from '#client/lib/document-title.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { SearchHit } from '#shared/search.ts';
import { textAt } from './text-at.ts';

/** A value of a document as it stands, or a snippet in which its matched words are marked. */
export interface HitWords {
  text: string;
  isSnippet: boolean;
}

/** A hit as people read it: a title, a text, some facts. */
export interface HitText {
  title: HitWords;
  text: HitWords | null;
  fields: { name: string; label: string; value: HitWords }[];
}

const textCharactersMax = 280;
/** A shorter string is a label, not a text. */
const textCharactersMin = 40;
const valueCharactersMax = 80;
const fieldsMax = 6;

export function hitText({
  id,
  document,
  highlights,
  passage,
}: Pick<SearchHit, 'id' | 'document' | 'highlights' | 'passage'>): HitText {
  const snippets = new Map(highlights.map(({ field, snippet }) => [field, snippet]));
  const entries = Object.entries(document).filter(([field]) => field !== 'id');
  const titleField = titleFieldOf(document);
  const textField = longestText(entries, titleField, snippets);
  const shown = (field: string, max: number): HitWords => {
    const snippet = snippets.get(field);
    if (snippet !== undefined) return { text: snippet, isSnippet: true };
    return { text: cutText(plainText(document[field] ?? null), max), isSnippet: false };
  };
  const text = textField ? shown(textField, textCharactersMax) : null;

  return {
    title: titleField ? shown(titleField, titleCharactersMax) : { text: id, isSnippet: false },
    text: text?.isSnippet ? text : (passageText(document, passage) ?? text),
    fields: entries
      .filter(([field, value]) => field !== titleField && field !== textField && isFact(value))
      .slice(0, fieldsMax)
      .map(([field]) => ({ name: field, label: fieldLabel(field), value: shown(field, valueCharactersMax) })),
  };
}

/** Where it was found by its meaning. */
function passageText(document: SearchHit['document'], passage: SearchHit['passage']): HitWords | null {
  const text = passage && textAt(document, passage.field)?.slice(passage.start, passage.end);
  return text === undefined || text.length < textCharactersMin
    ? null
    : { text: cutText(text, textCharactersMax), isSnippet: false };
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

function plainText(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

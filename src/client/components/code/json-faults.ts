import { jsonLanguage } from '@codemirror/lang-json';
import type { JsonValue } from '#shared/documents.ts';

/** What is wrong with a text; `from` and `to` are characters of it. */
export interface JsonFault {
  message: string;
  from: number;
  to: number;
}

/** What a text of JSON holds, or where it stops being JSON. */
export function readJson(text: string, expected: string): { value: JsonValue } | { fault: JsonFault } {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    // Browsers say it in words of their own, and not all of them say where.
    return { fault: syntaxFault(text, expected) };
  }
}

/** `expected`: what an empty text is told. */
function syntaxFault(text: string, expected: string): JsonFault {
  if (text.trim() === '') return { message: expected, from: 0, to: 0 };
  let at = text.trimEnd().length;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at = Math.min(at, from);
    },
  });
  const found = text.slice(at).trimStart().slice(0, 1);
  const message = found === '' ? 'The JSON ends too early' : `This is not JSON at “${found}”`;
  return { message, from: Math.min(at, text.length), to: Math.min(at + 1, text.length) };
}

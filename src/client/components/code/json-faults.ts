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
  let within = '';
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from, node }) => {
      if (!type.isError || from >= at) return;
      at = from;
      within = node.parent?.name ?? '';
    },
  });
  const found = text.slice(at).trimStart().slice(0, 1);
  const isAfterOne = /["\w\]}]$/.test(text.slice(0, at).trimEnd()) && /["\w[{-]/.test(found);
  const message =
    found === ''
      ? 'The JSON ends too early'
      : isAfterOne && (within === 'Object' || within === 'Array')
        ? `A comma is missing before “${found}”`
        : `This is not JSON at “${found}”`;
  return { message, from: Math.min(at, text.length), to: Math.min(at + 1, text.length) };
}

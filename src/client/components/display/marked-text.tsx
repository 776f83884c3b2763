/**
 * A snippet of the search API as text and `<mark>`s: `Marked <mark>words</mark> &amp; the rest`. Only these marks and the
 * escapes of text are understood; anything else is shown as the characters it is, so nothing in a document becomes markup.
 */
export function MarkedText({ snippet }: { snippet: string }) {
  return markedParts(snippet).map(({ text, isMarked, offset }) =>
    isMarked ? <mark key={offset}>{text}</mark> : text,
  );
}

export interface MarkedPart {
  text: string;
  isMarked: boolean;
  /** Where it begins in the snippet. */
  offset: number;
}

export function markedParts(snippet: string): MarkedPart[] {
  const parts: MarkedPart[] = [];
  const push = (from: number, to: number, isMarked: boolean) => {
    if (to > from) parts.push({ text: unescapeText(snippet.slice(from, to)), isMarked, offset: from });
  };
  let at = 0;
  for (const match of snippet.matchAll(/<mark>(.*?)<\/mark>/gs)) {
    push(at, match.index, false);
    push(match.index + '<mark>'.length, match.index + match[0].length - '</mark>'.length, true);
    at = match.index + match[0].length;
  }
  push(at, snippet.length, false);
  return parts;
}

const escapes: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

function unescapeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => escapes[entity] ?? entity);
}

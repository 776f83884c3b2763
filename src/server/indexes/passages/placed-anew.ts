import type { Embeddable } from './embeddable.ts';

/**
 * Stored vectors of the same passages, with the spans that these have in the document as it is written now: the same texts may lie in other fields.
 * Null: they must be embedded anew. Passages without a known word have no vector, and which those are is told only where start and end fit in one way.
 */
export function placedAnew<T extends { spans: Int32Array }>(kept: T, text: Embeddable | null): T | null {
  if (text === null) return kept;
  if (text.spans.length === kept.spans.length) return { ...kept, spans: text.spans };
  const of = spansOf(kept.spans);
  const among = spansOf(text.spans);
  const first = inOrder(of, among);
  const last = inOrder(of.toReversed(), among.toReversed())?.toReversed();
  if (first === null || first.some((span, i) => span !== last?.[i])) return null;
  return { ...kept, spans: Int32Array.from(first.flat()) };
}

type Span = readonly number[];

function spansOf(spans: Int32Array): Span[] {
  return Array.from({ length: spans.length / 3 }, (_, i) => [...spans.subarray(i * 3, (i + 1) * 3)]);
}

/** For each the first behind those before it that starts and ends where it does. Null: some have none. */
function inOrder(spans: readonly Span[], among: readonly Span[]): Span[] | null {
  let from = 0;
  const found: Span[] = [];
  for (const [, start, end] of spans) {
    const at = among.findIndex((span, place) => place >= from && span[1] === start && span[2] === end);
    const span = among[at];
    if (span === undefined) return null;
    found.push(span);
    from = at + 1;
  }
  return found;
}

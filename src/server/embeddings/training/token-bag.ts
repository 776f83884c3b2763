/** A text as the static table reads it: its tokens, each once, and how often. */
export interface TokenBag {
  ids: Int32Array;
  counts: Float32Array;
}

/** Tokens whose rows add nothing are left out. */
export function bagOf(tokens: Iterable<number>, zeroRows: readonly number[]): TokenBag {
  const counts = new Map<number, number>();
  for (const id of tokens) if (!zeroRows.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return { ids: Int32Array.from(counts.keys()), counts: Float32Array.from(counts.values()) };
}

/** How often each token occurs in all of these texts. */
export function countTokens(bags: Iterable<TokenBag>, rows: number): Float64Array {
  const totals = new Float64Array(rows);
  for (const { ids, counts } of bags)
    for (const [i, id] of ids.entries()) totals[id] = (totals[id] ?? 0) + (counts[i] ?? 0);
  return totals;
}

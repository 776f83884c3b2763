/**
 * BM25 over several fields, as one document in which each field is repeated as often as its weight says:
 *
 *   idf = ln(1 + (N − n + ½) / (n + ½)),   tf = Σ w · tf_field,   score = idf · tf / (tf + k1 · (1 − b + b · length / mean length))
 *
 * N counts the living documents, n those that hold the word in a searched field; length and its mean are weighted like tf. Sources: S.
 * Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; S. Robertson, H. Zaragoza, M. Taylor, "Simple
 * BM25 extension to multiple weighted fields", CIKM 2004. The idf that never turns negative and the missing factor k1 + 1 are Lucene's
 * (BM25Similarity since 8.0).
 */
export function idf(documents: number, documentsWithWord: number): number {
  return Math.log(1 + (documents - documentsWithWord + 0.5) / (documentsWithWord + 0.5));
}

/** 0 to 1: how much of its idf a word earns. `lengthRatio` is length / mean length. */
export function saturation(
  frequency: number,
  lengthRatio: number,
  { k1, b }: { k1: number; b: number },
): number {
  return frequency / (frequency + k1 * (1 - b + b * lengthRatio));
}

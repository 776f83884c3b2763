/** Of named filters. */
export function countsIn(aggregate: unknown): Record<string, number> {
  const { buckets = {} } = (aggregate ?? {}) as { buckets?: Record<string, { doc_count: number }> };
  return Object.fromEntries(Object.entries(buckets).map(([name, { doc_count }]) => [name, doc_count]));
}

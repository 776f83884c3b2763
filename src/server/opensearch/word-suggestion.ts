/** The cluster is asked for more than are looked at: what is near for it need not be near for us. */
const suggestedMax = 400;

/** Asks for words that are like one. */
export function suggestion(text: string, typos: number): object {
  const wide = { size: suggestedMax, shard_size: suggestedMax, max_inspections: 20, accuracy: 0 };
  const within = {
    max_edits: Math.min(2, typos),
    prefix_length: 1,
    min_word_length: 2,
    max_term_freq: 2 ** 30,
  };
  return { text, term: { field: 'words', suggest_mode: 'always', sort: 'frequency', ...wide, ...within } };
}

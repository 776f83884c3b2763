import type { Cluster } from './cluster.ts';

/** The mean length in words of the texts that documents have in a field, as the cluster counts it; 0: none has any. */
export type MeanLength = (field: string) => Promise<number>;

interface Told {
  term_vectors: Record<string, { field_statistics?: { sum_ttf: number; doc_count: number } }>;
}

/** A document that is in no index is asked about: figures of the field come with it. */
export function meanLengthIn(cluster: Cluster, index: string, signal: AbortSignal | undefined): MeanLength {
  return async (field) => {
    const [slot = field, name] = [
      field.slice(0, field.indexOf('.')) || field,
      field.slice(field.indexOf('.') + 1),
    ];
    const doc = name === field ? { [field]: 'a' } : { [slot]: { [name]: 'a' } };
    const body = { doc, fields: [field], positions: false, offsets: false, field_statistics: true };
    const told = await cluster.ask<Told>({ method: 'POST', path: `/${index}/_termvectors`, body }, signal);
    const { sum_ttf = 0, doc_count = 0 } = told.term_vectors[field]?.field_statistics ?? {};
    return doc_count > 0 ? sum_ttf / doc_count : 0;
  };
}

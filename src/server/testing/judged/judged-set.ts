import type { IndexedDocument } from '#server/engine/types.ts';

/** A query, and how well documents answer it. */
export interface JudgedQuery {
  id: string;
  text: string;
  /** Grades by document; whatever is not in it is not relevant. One at least is above 0. */
  grades: ReadonlyMap<string, number>;
}

export interface JudgedSet {
  name: string;
  queries: JudgedQuery[];
}

/** A document of a collection in BEIR's form: `_id`, and its fields. */
export type CorpusRow = { _id: string } & Record<string, unknown>;

export function toDocument({ _id, ...fields }: CorpusRow): IndexedDocument {
  return {
    id: _id,
    source: JSON.stringify({ id: _id, ...fields }),
    vectors: new Float32Array(0),
    spans: new Int32Array(0),
  };
}

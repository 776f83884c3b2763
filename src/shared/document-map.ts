import { z } from 'zod';
import { collectionName } from './collections.ts';
import { limits } from './limits.ts';

/** What a map of documents is drawn from. */
export const documentMapInput = z.strictObject({
  collection: collectionName,
  filter_by: z.string().max(limits.filterCharactersMax).optional(),
  color_by: z.string().min(1).max(512).optional(),
  /** Without them the answer is small: the colors of a map that is there already. */
  with_vectors: z.boolean().default(true),
});

export type MapValue = string | number | boolean | null;

/** A sample of the documents that pass the filter and have a vector. What is told of the i-th is the i-th everywhere. */
export interface DocumentMap {
  /** Documents that pass, and those of them that have a vector. */
  found: number;
  withVector: number;
  ids: string[];
  /** Null: it has none. */
  titles: (string | null)[];
  /** The first value of the field to color by; dates as Unix seconds. */
  values: MapValue[];
  isDate: boolean;
  /** Of a row. */
  components: number;
  /** Base64 of signed bytes, row by row; empty without vectors. */
  rows: string;
  /** Base64 of 32-bit floats, little-endian: what a byte of each row counts. */
  scales: string;
}

import type { OtherCounts } from './other-counts.ts';

/** What changes of a dictionary when documents come and go, by string. */
export interface DictionaryCounts {
  /** Strings there were. */
  count: number;
  termOf: Int32Array;
  documents: Uint32Array;
  livingWords: Uint32Array;
  others: OtherCounts;
}

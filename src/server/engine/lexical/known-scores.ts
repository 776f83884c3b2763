import { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';

/** The scores of documents that were scored in a search: what was asked of all of them is not computed again. */
export class KnownScores {
  /** By ordinal, of the documents that are known. */
  readonly scores: Float64Array;
  readonly documents: Bitset;

  constructor({ capacity, scratch }: { capacity: number; scratch: SearchScratch }) {
    this.scores = scratch.numbers('scores', capacity);
    this.documents = new Bitset(capacity);
  }

  /** `scores`: by the places of the ordinals. */
  add(ordinals: Int32Array, scores: Float64Array): void {
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      this.documents.add(ordinal);
      this.scores[ordinal] = scores[i] ?? 0;
    }
  }

  /** To the same places of `into`, as far as they are known. @returns whether all are */
  read(ordinals: Int32Array, into: Float64Array): boolean {
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      if (!this.documents.has(ordinal)) return false;
      into[i] = this.scores[ordinal] ?? 0;
    }
    return true;
  }
}

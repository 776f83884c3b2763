import { type CollectionMetadata, passageDefaults } from '#shared/collections.ts';

/** How a collection's long texts are cut. */
export interface PassageLimits {
  /** UTF-16 units of a passage. */
  characters: number;
  /** Passages of a document. */
  most: number;
}

export function passageLimitsOf(metadata: CollectionMetadata | null): PassageLimits {
  return {
    characters: metadata?.embed?.passage_characters ?? passageDefaults.passage_characters,
    most: metadata?.embed?.passages_max ?? passageDefaults.passages_max,
  };
}

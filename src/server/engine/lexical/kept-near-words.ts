/** Words that resemble one, as they are until a document comes or goes: nearest first. */
export interface KeptNearWords {
  near: readonly { word: string; distance: number; documents: number }[];
  bytes: number;
}

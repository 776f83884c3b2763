/** What a sort key sees of a document. */
export interface SortValue {
  /** 0 number, 1 date, 2 boolean, 3 text, 255 nothing. */
  class: number;
  /** A text is folded. */
  value: number | string;
}

/** Where a hit stands in the order of a search, also when the index has changed. */
export interface HitPlace {
  id: string;
  /** Of its document as it was. */
  seal: number;
  /** By sort key; without any, its score. */
  values: SortValue[];
}

/** How far a walk over all hits has come. */
export interface WalkPlace {
  /** Hits, or groups, that were shown. */
  shown: number;
  /** The last pin among them. */
  pin: string | null;
  /** The last of the others. */
  last: HitPlace | null;
}

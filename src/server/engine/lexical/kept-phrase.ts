/** Who holds a phrase, ascending, and how often: each field's times its weight. */
export interface PhraseHolders {
  ordinals: Int32Array;
  frequencies: Float64Array;
}

/** What was found of a phrase, as it is until a document comes or goes. */
export interface KeptPhrase {
  holders: PhraseHolders | null;
  /** Of work, to find them. */
  units: number;
  /** Of the documents that hold all its terms, up to a limit; null: not counted yet. */
  characters: { count: number; most: number } | null;
  bytes: number;
}

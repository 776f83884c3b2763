export interface ScanStats {
  /**
   * What is compared with a query's vector: a bit for each component, then bytes, then the vectors, among all or among the nearest lists of an inverted
   * file; bytes, then the vectors; or these alone.
   */
  scan: 'bits' | 'lists' | 'int8' | 'exact';
  /** Share of the ten nearest that are found, measured on the index's own vectors when they have become more. */
  recall: number;
}

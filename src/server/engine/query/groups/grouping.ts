/** Documents with the same values are one group. */
export interface Grouping {
  /** At least one. */
  fields: string[];
  /** Hits that are shown of a group. */
  limit: number;
  /** Whether documents that have none of the fields are one group; else each is one. */
  joinsMissing: boolean;
}

/** What the documents of a group have in common. */
export interface EngineGroup {
  /** By field: the value, several in order, or null where they have none. */
  key: (GroupValue | GroupValue[] | null)[];
  /** Its documents among the candidates. */
  found: number;
  /** How many of the hits are its own; they stand together. */
  hits: number;
}
export type GroupValue = string | number | boolean;

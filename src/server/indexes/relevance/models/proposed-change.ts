import type { SearchMode } from '#shared/search.ts';
import type { RuleDraft } from '#shared/search-preview.ts';

/** Another model, and what else is tried beside it. */
export interface ProposedChange {
  /** `static`, `transformer`, or the id of a service or of a model in a directory. */
  model: string;
  draft: RuleDraft;
  /** The moment that overrides are asked of. */
  at: Date;
  mode: SearchMode;
  judged: readonly { query: string; grades: ReadonlyMap<string, number> }[];
  /** How many documents are compared at most. */
  documentsMax: number;
}

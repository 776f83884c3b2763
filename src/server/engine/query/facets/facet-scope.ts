import type { Bitset } from '../../bits/bitset.ts';
import type { WorkBudget } from '../../work-budget.ts';

/** What facets are counted over. */
export interface FacetScope {
  candidates: Bitset;
  /** Of all facets of a search together. */
  budget: WorkBudget;
}

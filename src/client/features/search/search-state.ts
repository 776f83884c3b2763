import { z } from 'zod';
import { limits } from '#shared/limits.ts';
import { searchModes } from '#shared/search.ts';

/**
 * The search page's address is its state: the same link shows the same screen. What cannot be read falls back, so that no link breaks.
 * `facets` are the ticked values by field, `filter` the filter as typed; both apply.
 */
export const searchState = z.object({
  q: z.string().max(limits.queryCharactersMax).catch('').default(''),
  mode: z.enum(searchModes).catch('hybrid').default('hybrid'),
  /** Absent: all collections of the chosen project or workspace. */
  collection: z.int().positive().optional().catch(undefined),
  filter: z.string().max(limits.filterCharactersMax).catch('').default(''),
  facets: z.record(z.string(), z.array(z.string()).max(100)).catch({}).default({}),
  sort: z.string().max(512).catch('').default(''),
  page: z.int().min(1).max(1_000).catch(1).default(1),
  alpha: z.number().min(0).max(1).catch(0.5).default(0.5),
});
export type SearchState = z.infer<typeof searchState>;

export const searchDefaults = {
  q: '',
  mode: 'hybrid',
  filter: '',
  facets: {},
  sort: '',
  page: 1,
  alpha: 0.5,
} as const satisfies Partial<SearchState>;

export const hitsPerPage = 10;

/** How a change of the state enters the browser's history: typing replaces, everything else can be gone back from. */
export type ChangeSearch = (change: Partial<SearchState>, options?: { replace?: boolean }) => void;

import type { SearchMode } from '#shared/search.ts';

export const modeNames: Record<SearchMode, string> = {
  hybrid: 'Hybrid',
  keyword: 'Keyword',
  vector: 'Semantic',
};

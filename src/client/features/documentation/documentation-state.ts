import { textParam, wholeParam } from '#client/lib/search-params.ts';
import { articleQueryCharactersMax } from '#shared/articles/query.ts';

/** What the address says beside the article and its anchor. */
export interface DocumentationState {
  /** What is searched for in the articles. */
  q: string;
  /** Whose name stands in the code; 0: the chosen project's first. */
  collection: number;
}

export const documentationDefaults: DocumentationState = { q: '', collection: 0 };

export function documentationState(search: Partial<DocumentationState>): DocumentationState {
  return {
    q: textParam(search.q, articleQueryCharactersMax),
    collection: wholeParam(search.collection, { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
  };
}

/** Typing replaces the address, a collection is chosen for good. */
export type ChangeDocumentation = (change: Partial<DocumentationState>) => void;

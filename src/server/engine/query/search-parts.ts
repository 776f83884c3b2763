import type { DocumentTable } from '../documents/document-table.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { IndexSettings, SearchProgress } from '../types.ts';
import type { VectorTable } from '../vector/vector-table.ts';
import type { ColumnStore } from './columns/column-store.ts';

export interface IndexParts {
  settings: IndexSettings;
  documents: DocumentTable;
  lexical: LexicalIndex;
  vectors: VectorTable;
  columns: ColumnStore;
}

/** What one search works with. */
export interface SearchParts extends IndexParts {
  /** Its own until it ends. */
  scratch: SearchScratch;
  progress: SearchProgress;
}

import { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { StoredTexts } from './stored-texts.ts';

/** What a filter is evaluated over. */
export interface FilterScope {
  columns: ColumnStore;
  /** Of the same documents. */
  lexical: LexicalIndex;
  documents: Pick<DocumentTable, 'idOf' | 'ordinalOf' | 'sourceOf' | 'sourceBytesOf'>;
  live: Bitset;
  budget: WorkBudget;
}

/** What is known of a condition before any document is read. */
export interface Finding {
  /** Documents that pass. */
  sure: Bitset;
  /** Those, and the ones of which only their texts can tell; the same set where there are none. */
  possible: Bitset;
  /** Whether a document passes that is possible and not sure. */
  passes: (texts: StoredTexts) => boolean;
}

/** Nothing is left to be read. */
export const exactly = (documents: Bitset): Finding => ({
  sure: documents,
  possible: documents,
  passes: () => true,
});

export const isExact = ({ sure, possible }: Finding): boolean => sure === possible;

/** What does not pass passes, among the documents within. */
export function complementOf({ sure, possible, passes }: Finding, within: Bitset): Finding {
  const others = within.clone().andNot(possible);
  if (sure === possible) return exactly(others);
  return { sure: others, possible: within.clone().andNot(sure), passes: (texts) => !passes(texts) };
}

/** Both sets cut to the documents within. */
export function cutTo(within: Bitset, { sure, possible, passes }: Finding): Finding {
  const cut = possible.and(within);
  return sure === possible ? exactly(cut) : { sure: sure.and(within), possible: cut, passes };
}

export const nothingFound = (): Finding => exactly(new Bitset(0));

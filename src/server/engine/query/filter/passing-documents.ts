/** From a filter's text to the documents that pass it. The text is parsed once. */
import type { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { Steps } from '../../steps.ts';
import { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { checkFilter } from './check-filter.ts';
import { evaluateFilter } from './evaluate-filter.ts';
import type { FilterNode } from './filter-ast.ts';
import { FilterFaultError } from './filter-fault-error.ts';
import { parseFilter } from './filter-parser.ts';

/** Living documents that pass, as a new set. @throws FilterFaultError, TooDearError */
export function* passingDocuments(
  { documents, lexical, columns }: { documents: DocumentTable; lexical: LexicalIndex; columns: ColumnStore },
  filter: string | null,
): Steps<Bitset> {
  const node = readFilter(columns, filter);
  if (node === null) return documents.live.clone();
  const budget = new WorkBudget('filter');
  return yield* evaluateFilter(node, { columns, lexical, documents, live: documents.live, budget });
}

/** @throws FilterFaultError for a filter that does not parse or does not fit the fields */
export function readFilter(columns: ColumnStore, filter: string | null): FilterNode | null {
  const { filter: node, diagnostics } = parseFilter(filter ?? '');
  const faults = node === null ? diagnostics : checkFilter(node, columns);
  if (faults.length > 0) throw new FilterFaultError(faults);
  return node;
}

/** From a filter's text to the documents that pass it. The text is parsed once. */
import type { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import { textsByField } from '../../documents/text-fields.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { tokenize } from '../../text/analyzer.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { checkFilter } from './check-filter.ts';
import { evaluateFilter } from './evaluate-filter.ts';
import type { FilterNode } from './filter-ast.ts';
import { FilterFaultError } from './filter-fault-error.ts';
import { parseFilter } from './filter-parser.ts';
import { wordCandidates } from './word-candidates.ts';

/** Living documents that pass, as a new set. @throws FilterFaultError */
export function passingDocuments(
  { documents, lexical, columns }: { documents: DocumentTable; lexical: LexicalIndex; columns: ColumnStore },
  filter: string | null,
): Bitset {
  const node = readFilter(columns, filter);
  if (node === null) return documents.live.clone();
  const source = {
    ordinalOf: (id: string) => documents.ordinalOf(id),
    idOf: (ordinal: number) => documents.idOf(ordinal),
    wordsOf: (text: string) => tokenize(text).map((each) => each.token),
    textsOf: (ordinal: number, path: string) => textsAt(documents.sourceOf(ordinal), path),
    withWords: (path: string, words: string[], isPrefix: boolean) =>
      wordCandidates(lexical, path, { words, isPrefix }),
  };
  return evaluateFilter(node, { columns, source, live: documents.live });
}

/** @throws FilterFaultError for a filter that does not parse or does not fit the fields */
export function readFilter(columns: ColumnStore, filter: string | null): FilterNode | null {
  const { filter: node, diagnostics } = parseFilter(filter ?? '');
  const faults = node === null ? diagnostics : checkFilter(node, columns);
  if (faults.length > 0) throw new FilterFaultError(faults);
  return node;
}

function textsAt(json: string, path: string): string[] {
  return textsByField(JSON.parse(json) as Record<string, unknown>, [path]).get(path) ?? [];
}

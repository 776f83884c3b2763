/** A filter's text to the documents that pass it. */
import type { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import { fieldTexts } from '../../documents/text-fields.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { tokenize } from '../../text/analyzer.ts';
import type { ColumnStore } from '../columns/columns.ts';
import { evaluateFilter } from './filter-eval.ts';
import { parseFilter } from './filter-parser.ts';
import { wordCandidates } from './word-candidates.ts';

/** Living documents that pass; a new set. @throws RangeError for a filter that does not parse, which callers have checked */
export function passingDocuments(
  { documents, lexical, columns }: { documents: DocumentTable; lexical: LexicalIndex; columns: ColumnStore },
  filter: string | null,
): Bitset {
  if (filter === null || filter.trim() === '') return documents.live.clone();
  const { filter: node, diagnostics } = parseFilter(filter);
  if (node === null) throw new RangeError(`the filter does not parse: ${diagnostics[0]?.message ?? ''}`);
  const ids = {
    ordinalOf: (id: string) => documents.ordinalOf(id),
    idOf: (ordinal: number) => documents.idOf(ordinal),
    analyze: (text: string) => tokenize(text).map((each) => each.token),
    textsOf: (ordinal: number, path: string) => textsAt(documents.sourceOf(ordinal), path),
    withWords: (path: string, words: string[], isPrefix: boolean) =>
      wordCandidates(lexical, path, words, isPrefix),
  };
  return evaluateFilter(node, columns, ids, documents.live);
}

function textsAt(source: string, path: string): string[] {
  const texts = fieldTexts(JSON.parse(source) as Record<string, unknown>);
  return texts.filter((each) => each.path === path).map((each) => each.text);
}

/** From a filter's text to the documents that pass it. The text is parsed once. */
import type { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { checkFilter } from './check-filter.ts';
import { evaluateFilter } from './evaluate-filter.ts';
import { clausesOf, type FilterNode } from './filter-ast.ts';
import { FilterFaultError } from './filter-fault-error.ts';
import { parseFilter } from './filter-parser.ts';

interface FilteredParts {
  documents: DocumentTable;
  lexical: LexicalIndex;
  columns: ColumnStore;
}

/** What a search's documents must pass. */
type Filters = Pick<SearchQuery, 'filter' | 'ruleFilter'>;

/** Living documents that pass, as a new set. @throws FilterFaultError, TooDearError */
export function* passingDocuments(parts: FilteredParts, filter: string | null): Steps<Bitset> {
  return yield* passing(parts, readFilter(parts.columns, filter), new WorkBudget('filter'));
}

/** Likewise those that pass both filters of a search; where it has none the set of the living, which must stay as it is. @throws FilterFaultError, TooDearError */
export function* passingBoth(parts: FilteredParts, filters: Filters): Steps<Bitset> {
  const { node, ruleNode } = readFilters(parts.columns, filters);
  if (node === null && ruleNode === null) return parts.documents.live;
  const budget = new WorkBudget('filter');
  const both = yield* passing(parts, node, budget);
  return ruleNode === null ? both : both.and(yield* passing(parts, ruleNode, budget));
}

/**
 * For each of the fields that the filter has conditions of its own for: what passes both filters without these. A field's own conditions are
 * the parts of the filter, joined by "and", that ask of no other field.
 * @throws FilterFaultError, TooDearError
 */
export function* passingBeside(
  parts: FilteredParts,
  filters: Filters,
  fields: Iterable<string>,
): Steps<Map<string, Bitset>> {
  const { node, ruleNode } = readFilters(parts.columns, filters);
  const byField = new Map<string, Bitset>();
  const conditions = node === null ? [] : conjuncts(node);
  const budget = new WorkBudget('filter');
  for (const field of fields) {
    const others = conditions.filter((each) => clausesOf(each).some(({ path }) => path !== field));
    if (others.length === conditions.length) continue;
    const own = yield* passing(parts, allOf(others), budget);
    byField.set(field, ruleNode === null ? own : own.and(yield* passing(parts, ruleNode, budget)));
  }
  return byField;
}

function conjuncts(node: FilterNode): FilterNode[] {
  return node.kind === 'and' ? node.children.flatMap(conjuncts) : [node];
}

function allOf(nodes: FilterNode[]): FilterNode | null {
  const [first = null] = nodes;
  return nodes.length > 1 ? { kind: 'and', children: nodes } : first;
}

function* passing(
  { documents, lexical, columns }: FilteredParts,
  node: FilterNode | null,
  budget: WorkBudget,
): Steps<Bitset> {
  if (node === null) return documents.live.clone();
  return yield* evaluateFilter(node, { columns, lexical, documents, live: documents.live, budget });
}

/** @throws FilterFaultError for one that does not parse or does not fit the fields */
export function readFilters(columns: ColumnStore, { filter, ruleFilter }: Filters) {
  return { node: readFilter(columns, filter), ruleNode: readFilter(columns, ruleFilter, true) };
}

function readFilter(columns: ColumnStore, filter: string | null, isRule = false): FilterNode | null {
  const { filter: node, diagnostics } = parseFilter(filter ?? '');
  const faults = node === null ? diagnostics : checkFilter(node, columns);
  if (faults.length > 0) throw new FilterFaultError(faults, isRule);
  return node;
}

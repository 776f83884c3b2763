import { TopK } from '../bits/top-k.ts';
import { type Steps, stepUnits } from '../steps.ts';
import type { SearchProgress } from '../types.ts';
import { passingDocuments } from './filter/passing-documents.ts';
import type { IndexParts } from './search-parts.ts';

export interface IdsAsked {
  filter: string | null;
  after?: string | null;
  limit?: number;
}

/**
 * Ids of the documents that pass the filter (null: all), by code points: those after `after`, the first `limit` of them.
 * @throws FilterFaultError
 */
export function* listIds(
  parts: IndexParts,
  { filter, after = null, limit = Number.POSITIVE_INFINITY }: IdsAsked,
  progress: SearchProgress,
): Steps<string[]> {
  const { documents } = parts;
  progress.part = 'filter';
  const passing = yield* passingDocuments(parts, filter);
  progress.part = 'ranking';
  const last = after === null ? null : encoder.encode(after);
  const top = new TopK(limit, documents.isBefore);
  yield* passing.visit((ordinal) => {
    if (last === null || documents.isAfter(ordinal, last)) top.offer(ordinal, 0);
  });
  const ids: string[] = [];
  for (const ordinal of (yield* top.sorted()).ordinals) {
    if (ids.push(documents.idOf(ordinal)) % stepUnits === 0) yield;
  }
  return ids;
}

const encoder = new TextEncoder();

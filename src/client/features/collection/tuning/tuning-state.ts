import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam, textParam } from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';

export const tuningParts = ['settings', 'synonyms', 'overrides'] as const;
export type TuningPart = (typeof tuningParts)[number];

/** Those that differ by rules; beside the schema, which would come along into the first load. */
const triedModes = ['hybrid', 'keyword', 'vector'] as const;

/** What a change is tried on: one query, or those that are judged. */
export const triedOn = ['query', 'judged'] as const;

/** What of the collection page's address is the tab Tuning's. */
export interface TuningState {
  part: TuningPart;
  /** The query that changes are tried with. */
  try: string;
  by: (typeof triedModes)[number];
  on: (typeof triedOn)[number];
}

export const tuningDefaults = {
  part: 'settings',
  try: '',
  by: 'hybrid',
  on: 'query',
} as const satisfies TuningState;

export function tuningState(search: Partial<TuningState> & SearchSchemaInput): TuningState {
  return {
    part: choiceParam(search.part, tuningParts, tuningDefaults.part),
    try: textParam(search.try, limits.queryCharactersMax),
    by: choiceParam(search.by, triedModes, tuningDefaults.by),
    on: choiceParam(search.on, triedOn, tuningDefaults.on),
  };
}

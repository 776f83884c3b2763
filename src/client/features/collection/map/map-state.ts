import { choiceParam, textParam } from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';

/** What of the address is the map's. */
export interface MapState {
  /** The field that colors; empty: the one that parts the documents best; `colorless`: none. */
  color: string;
  /** Only documents that pass this filter are on the map. */
  among: string;
  /** What is searched for on the map. */
  find: string;
  as: 'map' | 'table';
}

/** No field's name: a field is not called by a sign that filters cannot read. */
export const colorless = '-';

export const mapDefaults = { color: '', among: '', find: '', as: 'map' } as const satisfies MapState;

/** What cannot be read falls back. */
export function mapState(search: Partial<Record<keyof MapState, unknown>>): MapState {
  return {
    color: textParam(search.color, 512),
    among: textParam(search.among, limits.filterCharactersMax),
    find: textParam(search.find, limits.queryCharactersMax),
    as: choiceParam(search.as, ['map', 'table'], mapDefaults.as),
  };
}

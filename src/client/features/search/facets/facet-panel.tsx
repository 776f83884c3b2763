import { Button } from '@mantine/core';
import type { FacetCounts } from '#shared/search.ts';
import type { FacetField } from '../collection-shape.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';
import { LeastRelevance } from './least-relevance.tsx';
import { NarrowPanel } from './narrow-panel.tsx';
import { RangeFacet } from './range-facet.tsx';
import { SwitchFacet } from './switch-facet.tsx';
import { ValuesFacet } from './values-facet.tsx';

interface FacetPanelProps {
  fields: FacetField[];
  counts: FacetCounts[];
  /** In words: what the counts are of. */
  counted: string;
  /** What the answer was narrowed to, 0: nothing. Null: hits tell no relevance. */
  leastRelevance: number | null;
  state: SearchState;
  onChange: ChangeSearch;
}

/** Values within a field widen each other, fields narrow each other. */
export function FacetPanel({ fields, counts, counted, leastRelevance, state, onChange }: FacetPanelProps) {
  const { facets, ranges } = state;
  const isNarrowed = Object.keys(facets).length > 0 || Object.keys(ranges).length > 0;
  const tick = (field: string, values: string[]) =>
    onChange({ facets: withEntry(facets, field, values), page: 1 });
  const span = (field: string, ends: string[]) =>
    onChange({ ranges: withEntry(ranges, field, ends), page: 1 });
  return (
    <NarrowPanel counted={counted}>
      {leastRelevance !== null && (
        <LeastRelevance answered={leastRelevance} tuned={state.tuned} onChange={onChange} />
      )}
      {fields.map((field) => {
        const { path } = field;
        const found = counts.find(({ field_name }) => field_name === path)?.counts ?? [];
        const ticked = facets[path] ?? [];
        switch (field.kind) {
          case 'values':
            return (
              <ValuesFacet
                key={path}
                {...{ field, found, ticked, state }}
                onTick={(values) => tick(path, values)}
              />
            );
          case 'switch':
            return (
              <SwitchFacet key={path} {...{ path, found, ticked }} onTick={(values) => tick(path, values)} />
            );
          case 'range':
            // Of nothing there is no span.
            if (found.every(({ count }) => count === 0) && !ranges[path]) return null;
            return (
              <RangeFacet
                key={path}
                field={field}
                found={found}
                ends={ranges[path] ?? []}
                onChange={(ends) => span(path, ends)}
              />
            );
        }
        return field satisfies never;
      })}
      {isNarrowed && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="sm"
          onClick={() => onChange({ facets: {}, ranges: {}, page: 1 })}
        >
          Clear all
        </Button>
      )}
    </NarrowPanel>
  );
}

function withEntry(lists: Record<string, string[]>, field: string, list: string[]): Record<string, string[]> {
  const { [field]: _, ...others } = lists;
  return list.length > 0 ? { ...others, [field]: list } : others;
}

import { Button, Paper, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronRightIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { FacetField } from '../collection-shape.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';
import classes from './facet-panel.module.css';
import { RangeFacet } from './range-facet.tsx';
import { SwitchFacet } from './switch-facet.tsx';
import { ValuesFacet } from './values-facet.tsx';

interface FacetPanelProps {
  fields: FacetField[];
  counts: FacetCounts[];
  /** In words: what the counts are of. */
  counted: string;
  state: SearchState;
  onChange: ChangeSearch;
}

/** Values within a field widen each other, fields narrow each other. */
export function FacetPanel({ fields, counts, counted, state, onChange }: FacetPanelProps) {
  const { facets, ranges } = state;
  const isNarrowed = Object.keys(facets).length > 0 || Object.keys(ranges).length > 0;
  const tick = (field: string, values: string[]) =>
    onChange({ facets: withEntry(facets, field, values), page: 1 });
  const span = (field: string, ends: string[]) =>
    onChange({ ranges: withEntry(ranges, field, ends), page: 1 });
  return (
    <NarrowPanel counted={counted}>
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

/** The frame of whatever narrows: beside the results there is room; above them, on a phone, it starts folded. */
export function NarrowPanel({ counted, children }: { counted?: string; children: ReactNode }) {
  return (
    <Paper component="aside" aria-label="Narrow the results" withBorder className={classes['panel'] ?? ''}>
      <details className={classes['fold']} open={isWide()}>
        <summary className={classes['summary']}>
          <Icon shape={chevronRightIcon} size={16} />
          <span>
            Narrow the results
            {counted && <span className={classes['counted']}>{counted}</span>}
          </span>
        </summary>
        {children}
      </details>
    </Paper>
  );
}

/** Holds the panel's place while it is not known what a collection can be narrowed by. */
export function FacetSkeleton() {
  return (
    <div aria-hidden="true" className={classes['waiting']}>
      {['first', 'second', 'third'].map((key) => (
        <div key={key}>
          <Skeleton height={12} width="40%" mb={10} />
          <Skeleton height={12} mb={8} />
          <Skeleton height={12} width="80%" mb={8} />
          <Skeleton height={12} width="90%" mb={20} />
        </div>
      ))}
    </div>
  );
}

function isWide(): boolean {
  return window.matchMedia('(width >= 62em)').matches;
}

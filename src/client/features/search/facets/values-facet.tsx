import { Checkbox, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { FacetField } from '../collection-shape.ts';
import { effectiveMode, searchRequest } from '../search-request.ts';
import type { SearchState } from '../search-state.ts';
import classes from './facet-panel.module.css';

interface ValuesFacetProps {
  field: Extract<FacetField, { kind: 'values' }>;
  found: FacetCounts['counts'];
  ticked: string[];
  state: SearchState;
  onTick: (values: string[]) => void;
}

const shownFew = 6;
const typingPauseMs = 120;

/** Boxes to tick, in the order that the values have in the whole collection; more of them, and a search among them, on request. */
export function ValuesFacet({ field, found, ticked, state, onTick }: ValuesFacetProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), typingPauseMs);
  const matching = useMatchingValues(state, { path: field.path, wanted });
  const counts = wanted === '' ? found : (matching.data ?? []);
  const best = isOpen ? counts : counts.slice(0, shownFew);
  // A ticked value stays, with or without hits, so that it can be taken back.
  const missing = ticked.filter((value) => !best.some((count) => count.value === value));
  const countOf = new Map(found.map(({ value, count }) => [value, count]));
  const rows = [...best, ...missing.map((value) => ({ value, count: countOf.get(value) ?? 0 }))];
  if (rows.length === 0 && !isOpen) return null;
  const label = fieldLabel(field.path);
  const hasMore = isOpen || found.length > shownFew;
  const toggle = (value: string, isTicked: boolean) => {
    const others = ticked.filter((other) => other !== value);
    onTick(isTicked ? [...others, value] : others);
  };
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['legend']}>{label}</legend>
      {isOpen && (
        <TextInput
          size="xs"
          type="search"
          placeholder="Search values"
          aria-label={`Search values of ${label}`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div className={classes['values']} data-open={isOpen || undefined}>
        {inOrder(rows, field.order).map(({ value, count }) => (
          <div key={value} className={classes['row']}>
            <Checkbox
              size="xs"
              label={<span dir="auto">{value}</span>}
              checked={ticked.includes(value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />
            <Text size="xs" c="dimmed" component="span" className={classes['count'] ?? ''}>
              {formatNumber(count)}
            </Text>
          </div>
        ))}
      </div>
      {matching.isError && (
        <Text size="xs" role="status">
          The values could not be searched. Type on to try again.
        </Text>
      )}
      {wanted !== '' && matching.data?.length === 0 && (
        <Text size="xs" c="dimmed" role="status">
          No value among these hits begins so.
        </Text>
      )}
      {hasMore && (
        <UnstyledButton
          className={classes['more'] ?? ''}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fewer' : 'More'} values of ${label}`}
          onClick={() => {
            setOpen(!isOpen);
            setTyped('');
          }}
        >
          {isOpen ? 'Fewer' : 'More'}
        </UnstyledButton>
      )}
    </fieldset>
  );
}

function useMatchingValues(state: SearchState, { path, wanted }: { path: string; wanted: string }) {
  const { client } = trpc.useUtils();
  const { collection = 0, page: _page, open: _open, sort: _sort, ...asked } = state;
  return useQuery({
    queryKey: [['search'], 'values', asked, collection, path, wanted],
    queryFn: async ({ signal }) => {
      const answer = await client.search[effectiveMode(state)].query(
        {
          collection,
          ...searchRequest({ ...state, sort: '' }, [path]),
          facet_query: `${path}:${wanted}`,
          per_page: 0,
          enable_analytics: false,
        },
        { signal },
      );
      return answer.facet_counts[0]?.counts ?? [];
    },
    enabled: wanted !== '',
  });
}

/** Those that the collection has most of first; what is not known of it behind them, as it came. */
function inOrder<Row extends { value: string }>(rows: Row[], order: string[]): Row[] {
  const place = new Map(order.map((value, i) => [value, i]));
  const placeOf = ({ value }: Row) => place.get(value) ?? order.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

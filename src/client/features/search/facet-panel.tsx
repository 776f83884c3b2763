import { Button, Checkbox, Paper, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { FacetCounts } from '#shared/search.ts';
import classes from './facet-panel.module.css';

interface FacetPanelProps {
  facets: FacetCounts[];
  /** Fields whose counts leave out what their own ticks rule out, and why. */
  narrowFacets: { field: string; message: string }[];
  /** Ticked values by field. */
  ticked: Record<string, string[]>;
  onChange: (ticked: Record<string, string[]>) => void;
}

/** Values within a field widen each other, fields narrow each other. */
export function FacetPanel({ facets, narrowFacets, ticked, onChange }: FacetPanelProps) {
  const hasTicks = Object.values(ticked).some((values) => values.length > 0);
  const toggle = (field: string, value: string, isTicked: boolean) => {
    const others = (ticked[field] ?? []).filter((other) => other !== value);
    const values = isTicked ? [...others, value] : others;
    const { [field]: _, ...rest } = ticked;
    onChange(values.length > 0 ? { ...rest, [field]: values } : rest);
  };
  return (
    <Paper component="aside" aria-label="Narrow the results" withBorder className={classes['panel'] ?? ''}>
      <details className={classes['fold']} open={isWide()}>
        <summary className={classes['summary']}>
          <span>Narrow the results</span>
        </summary>
        {facets.map((facet) => (
          <FacetField
            key={facet.field_name}
            facet={facet}
            ticked={ticked[facet.field_name] ?? []}
            failure={narrowFacets.find(({ field }) => field === facet.field_name)?.message}
            onToggle={(value, isTicked) => toggle(facet.field_name, value, isTicked)}
          />
        ))}
        {hasTicks && (
          <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => onChange({})}>
            Clear all
          </Button>
        )}
      </details>
    </Paper>
  );
}

function FacetField(props: {
  facet: FacetCounts;
  ticked: string[];
  failure: string | undefined;
  onToggle: (value: string, isTicked: boolean) => void;
}) {
  const { facet, ticked, failure } = props;
  // A ticked value without hits stays, so that it can be taken back.
  const missing = ticked.filter((value) => !facet.counts.some((count) => count.value === value));
  const rows = [...facet.counts, ...missing.map((value) => ({ value, count: 0 }))];
  if (rows.length === 0) return null;
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['legend']}>{facet.field_name}</legend>
      {failure !== undefined && (
        <Text size="xs" role="status">
          Only ticked values are counted: {failure}
        </Text>
      )}
      {rows.map(({ value, count }) => (
        <div key={value} className={classes['row']}>
          <Checkbox
            size="xs"
            label={value}
            checked={ticked.includes(value)}
            onChange={(event) => props.onToggle(value, event.currentTarget.checked)}
          />
          <Text size="xs" c="dimmed" component="span" className={classes['count'] ?? ''}>
            {formatNumber(count)}
          </Text>
        </div>
      ))}
    </fieldset>
  );
}

/** Beside the results there is room; above them, on a phone, the panel starts folded. */
export function isWide(): boolean {
  return window.matchMedia('(width >= 62em)').matches;
}

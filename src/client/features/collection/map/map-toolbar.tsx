import { Button, SegmentedControl, Text } from '@mantine/core';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ChangeCollection, CollectionState } from '../collection-state.ts';
import { MapColorsField } from './map-colors-field.tsx';
import classes from './map-toolbar.module.css';
import type { Hits } from './use-map-selection.ts';

interface MapToolbarProps {
  state: CollectionState;
  onChange: ChangeCollection;
  fields: string[];
  /** The one that colors. */
  field: string;
  /** Why there are no colors; null: nothing failed. */
  colorError: unknown;
  hits: Hits | null;
  onSelectHits: () => void;
}

export function MapToolbar({ state, onChange, fields, field, hits, ...props }: MapToolbarProps) {
  return (
    <div className={classes['toolbar']}>
      <SearchField
        label="Find on the map"
        placeholder="Light up what a search finds"
        value={state.find}
        onChange={(find) => onChange({ find }, { replace: true })}
      />
      <MapColorsField
        fields={fields}
        value={field}
        error={props.colorError}
        onChange={(color) => onChange({ color })}
      />
      <SegmentedControl
        aria-label="How the documents are shown"
        data={[
          { value: 'map', label: 'Map' },
          { value: 'table', label: 'Table' },
        ]}
        value={state.as}
        onChange={(as) => onChange({ as: as === 'table' ? 'table' : 'map' })}
      />
      <div role="status" className={classes['hits']}>
        {hits && <HitCount hits={hits} onSelect={props.onSelectHits} />}
      </div>
    </div>
  );
}

function HitCount({ hits, onSelect }: { hits: Hits; onSelect: () => void }) {
  if (hits.error !== null)
    return (
      <Text size="xs" c="red">
        {errorMessage(hits.error, 'The search failed')}
      </Text>
    );
  const shown = hits.points.size;
  if (hits.found === 0) return <Text size="xs">Nothing is found</Text>;
  return (
    <Text size="xs" c="dimmed">
      {shown === hits.found
        ? `${formatNumber(shown)} found`
        : `${formatNumber(shown)} of the best ${formatNumber(hits.found)} are on this map`}{' '}
      {shown > 0 && (
        <Button size="compact-xs" variant="subtle" onClick={onSelect}>
          Select them
        </Button>
      )}
    </Text>
  );
}

import { RangeSlider, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { FacetField } from '../collection-shape.ts';
import { type FieldBins, plain, toAxis } from '../field-bins.ts';
import classes from './facet-panel.module.css';
import bars from './range-facet.module.css';

interface RangeFacetProps {
  field: Extract<FacetField, { kind: 'range' }>;
  /** By bar. */
  found: FacetCounts['counts'];
  /** From and to, as they stand in the address; empty: the whole field. */
  ends: string[];
  onChange: (ends: string[]) => void;
}

/** Numbers or dates: how they are spread, and a span of them by slider or by typing. */
export function RangeFacet({ field: { path, bins }, found, ends, onChange }: RangeFacetProps) {
  const { unit, min, max, step } = bins;
  const label = fieldLabel(path);
  const [from, to] = [toAxis(unit, ends[0] ?? '') ?? min, toAxis(unit, ends[1] ?? '') ?? max];
  const [moved, setMoved] = useState<{ key: string; value: [number, number] } | null>(null);
  const key = ends.join();
  // While the thumb is held it is ahead of the address.
  const value: [number, number] = moved?.key === key ? moved.value : [from, to];
  const commit = ([low, high]: [number, number]) => {
    setMoved(null);
    const next = [low > min ? plain(unit, low) : '', high < max ? plain(unit, high) : ''];
    onChange(next.join('') === '' ? [] : next);
  };
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['legend']}>{label}</legend>
      <Histogram bins={bins} found={found} value={value} />
      <RangeSlider
        size="xs"
        min={min}
        max={max}
        step={step}
        minRange={0}
        label={null}
        value={value}
        onChange={(next) => setMoved({ key, value: next })}
        onChangeEnd={commit}
        thumbFromLabel={`${label} from`}
        thumbToLabel={`${label} to`}
        scale={(place) => place}
        classNames={{ root: bars['slider'] ?? '' }}
      />
      <div className={bars['ends']}>
        <End
          label={`Lowest ${label.toLowerCase()}`}
          text={plain(unit, value[0])}
          unit={unit}
          onCommit={(low) => commit([Math.max(min, Math.min(low, value[1])), value[1]])}
        />
        <span aria-hidden="true">–</span>
        <End
          label={`Highest ${label.toLowerCase()}`}
          text={plain(unit, value[1])}
          unit={unit}
          onCommit={(high) => commit([value[0], Math.min(max, Math.max(high, value[0]))])}
        />
      </div>
    </fieldset>
  );
}

interface HistogramProps {
  bins: FieldBins;
  found: FacetCounts['counts'];
  value: [number, number];
}

/** Drawn to the tallest bar; what lies outside of the span is pale. The ends below say it in words. */
function Histogram({ bins: { unit, edges }, found, value: [low, high] }: HistogramProps) {
  const counts = edges.slice(0, -1).map((_, i) => found.find(({ value }) => value === String(i))?.count ?? 0);
  const tallest = Math.max(1, ...counts);
  return (
    <div className={bars['bars']} aria-hidden="true">
      {counts.map((count, i) => {
        const [from = 0, to = 0] = [edges[i], edges[i + 1]];
        return (
          <span
            key={from}
            className={bars['bar']}
            data-in={(to > low && from <= high) || undefined}
            style={{ height: `${count === 0 ? 0 : Math.max(6, (count / tallest) * 100)}%` }}
            title={`${plain(unit, from)} – ${plain(unit, to)}: ${formatNumber(count)}`}
          />
        );
      })}
    </div>
  );
}

interface EndProps {
  label: string;
  text: string;
  unit: FieldBins['unit'];
  onCommit: (place: number) => void;
}

/** Taken when it is left or with Enter; what is no number or date goes back to what it was. */
function End({ label, text, unit, onCommit }: EndProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    const place = typed === null ? null : toAxis(unit, typed);
    setTyped(null);
    if (place !== null && typed !== text) onCommit(place);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      inputMode={unit === 'number' ? 'decimal' : 'text'}
      classNames={{ root: bars['end'] ?? '', input: bars['typed'] ?? '' }}
      value={typed ?? text}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

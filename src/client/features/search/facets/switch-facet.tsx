import { SegmentedControl } from '@mantine/core';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { FacetCounts } from '#shared/search.ts';
import classes from './facet-panel.module.css';

interface SwitchFacetProps {
  path: string;
  found: FacetCounts['counts'];
  ticked: string[];
  onTick: (values: string[]) => void;
}

/** A field that is yes or no. */
export function SwitchFacet({ path, found, ticked, onTick }: SwitchFacetProps) {
  const label = fieldLabel(path);
  const countOf = (value: string) => formatNumber(found.find((count) => count.value === value)?.count ?? 0);
  const [only] = ticked;
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['legend']}>{label}</legend>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={label}
        data={[
          { value: '', label: 'Any' },
          { value: 'true', label: `Yes ${countOf('true')}` },
          { value: 'false', label: `No ${countOf('false')}` },
        ]}
        value={ticked.length === 1 && only !== undefined ? only : ''}
        onChange={(value) => onTick(value === '' ? [] : [value])}
      />
    </fieldset>
  );
}

import { Select } from '@mantine/core';
import { fieldLabel } from '#client/lib/field-label.ts';
import { colorless } from './map-state.ts';

interface MapColorsFieldProps {
  fields: string[];
  /** Empty: no field. */
  value: string;
  onChange: (field: string) => void;
}

/** What the points are colored by. */
export function MapColorsField({ fields, value, onChange }: MapColorsFieldProps) {
  const data = [
    { value: colorless, label: 'One color' },
    ...fields.map((path) => ({ value: path, label: fieldLabel(path) })),
  ];
  return (
    <Select
      label="Color by"
      data={data}
      value={value === '' ? colorless : value}
      onChange={(chosen) => onChange(chosen ?? colorless)}
      allowDeselect={false}
      searchable={fields.length > 12}
      maxDropdownHeight={320}
    />
  );
}

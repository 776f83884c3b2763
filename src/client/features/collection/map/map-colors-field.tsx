import { Select } from '@mantine/core';
import { errorMessage } from '#client/lib/error-message.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import { colorless } from './map-state.ts';

interface MapColorsFieldProps {
  fields: string[];
  /** Empty: no field. */
  value: string;
  /** Why there are no colors; null: nothing failed. */
  error: unknown;
  onChange: (field: string) => void;
}

/** What the points are colored by. */
export function MapColorsField({ fields, value, error, onChange }: MapColorsFieldProps) {
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
      error={error === null ? null : errorMessage(error, 'The values could not be fetched')}
      searchable={fields.length > 12}
      maxDropdownHeight={320}
    />
  );
}

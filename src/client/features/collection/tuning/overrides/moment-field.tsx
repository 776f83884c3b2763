import { TextInput } from '@mantine/core';

interface MomentFieldProps {
  label: string;
  /** ISO 8601; absent: none. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A day and time in the reader's zone. */
export function MomentField({ label, value, onChange }: MomentFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : localTime(new Date(value))}
      onChange={(event) => {
        const { value: typed } = event.currentTarget;
        const time = Date.parse(typed);
        onChange(Number.isNaN(time) ? undefined : new Date(time).toISOString());
      }}
    />
  );
}

/** As the browser's field has it: 2027-01-31T18:30. */
function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

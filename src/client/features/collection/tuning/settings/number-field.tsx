import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'error'> {
  /** Null: the box is empty. */
  value: number | null;
  range: { min: number; max: number; isWhole?: boolean };
  onChange: (value: number | null) => void;
}

/** A number within its range; what cannot be read stays in the box and says what is wanted. */
export function NumberField({ value, range, onChange, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState({ text: textOf(value), value });
  // Set from outside meanwhile: given up, or saved.
  const text = Object.is(typed.value, value) ? typed.text : textOf(value);
  const isReadable = text === '' || read(text, range) !== null;
  return (
    <TextInput
      {...rest}
      inputMode={range.isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={text}
      error={
        isReadable
          ? null
          : `${range.isWhole ? 'A whole number' : 'A number'} from ${range.min} to ${range.max}`
      }
      onChange={(event) => {
        const next = event.currentTarget.value;
        const number = read(next, range);
        const kept = next.trim() === '' ? null : (number ?? value);
        setTyped({ text: next, value: kept });
        if (!Object.is(kept, value)) onChange(kept);
      }}
    />
  );
}

const textOf = (value: number | null) => (value === null ? '' : String(value));

function read(text: string, { min, max, isWhole = false }: NumberFieldProps['range']): number | null {
  const number = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(number) || number < min || number > max) return null;
  return isWhole && !Number.isInteger(number) ? null : number;
}

import { CloseButton, TextInput } from '@mantine/core';
import { Icon } from '../display/icon.tsx';
import { searchIcon } from '../display/icon-shapes.gen.ts';

/** A box that filters what is on the page; the text belongs in the URL, so the parent holds it. */
export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      type="search"
      dir="auto"
      aria-label={props.label}
      placeholder={props.placeholder ?? props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      leftSection={<Icon shape={searchIcon} />}
      rightSection={
        props.value ? <CloseButton size="sm" aria-label="Clear" onClick={() => props.onChange('')} /> : null
      }
    />
  );
}

import { CloseButton, TextInput } from '@mantine/core';
import { Icon } from '../display/icon.tsx';
import { searchIcon } from '../display/icon-shapes.gen.ts';
import { useTypedText } from './use-typed-text.ts';

/** A box that filters what is on the page; the text belongs in the URL, so the parent holds it. */
export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, type] = useTypedText(props.value, props.onChange);
  return (
    <TextInput
      type="search"
      dir="auto"
      aria-label={props.label}
      placeholder={props.placeholder ?? props.label}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<Icon shape={searchIcon} />}
      rightSection={text ? <CloseButton size="sm" aria-label="Clear" onClick={() => type('')} /> : null}
    />
  );
}

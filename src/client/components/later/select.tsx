import { InputBase, type Primitive, type SelectProps } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';

/** What the field looks like, with its list and without. */
type LookProps = Pick<
  SelectProps,
  | 'aria-label'
  | 'label'
  | 'description'
  | 'error'
  | 'inputWrapperOrder'
  | 'className'
  | 'w'
  | 'size'
  | 'variant'
  | 'placeholder'
  | 'leftSection'
  | 'disabled'
> & { classNames?: { input: string; section: string } };

type ListProps<Value extends Primitive> = Pick<
  SelectProps<Value>,
  | 'onChange'
  | 'allowDeselect'
  | 'clearable'
  | 'renderOption'
  | 'searchable'
  | 'limit'
  | 'nothingFoundMessage'
  | 'comboboxProps'
>;

interface LaterSelectProps<Value extends Primitive> extends LookProps, ListProps<Value> {
  data: readonly { value: Value; label: string; disabled?: boolean }[];
  /** `null`: none is chosen, and the placeholder stands there. */
  value: Value | null;
}

const FetchedSelect = laterPart(async () => {
  const { overlays } = await import('./overlays.ts');
  // React's `lazy` keeps no type parameter; `Select` below has it.
  return { default: overlays.Select as ComponentType<SelectProps<Primitive>> };
});

/** A choice among options, whose list is fetched after the first paint: until then its field says what is chosen. */
export function Select<Value extends Primitive>(props: LaterSelectProps<Value>) {
  const {
    data,
    value,
    onChange,
    allowDeselect,
    clearable,
    renderOption,
    searchable,
    limit,
    nothingFoundMessage,
    comboboxProps,
    ...look
  } = props;
  const waiting = (
    <InputBase
      {...look}
      aria-busy
      readOnly
      pointer
      rightSection={<span />}
      value={data.find((option) => option.value === value)?.label ?? ''}
    />
  );
  return (
    <Suspense fallback={waiting}>
      <FetchedSelect {...(props as unknown as SelectProps<Primitive>)} />
    </Suspense>
  );
}

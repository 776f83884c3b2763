import type { IconShape } from '../display/icon.tsx';
import { Icon } from '../display/icon.tsx';
import { Select } from '../later/select.tsx';
import classes from './crumb.module.css';

interface CrumbProps {
  label: string;
  icon: IconShape;
  rows: readonly { id: number; name: string }[];
  value: number | null;
  /** Said while none is chosen. */
  placeholder: string;
  nothingFound: string;
  /** What none of them is called; absent: one is always chosen. */
  allLabel?: string;
  isDisabled?: boolean;
  onChoose: (id: number | null) => unknown;
}

/** No row has this number. */
const all = 0;

/** More than that are found by typing. */
const optionsShown = 100;

/** One step of the way to what is shown, which also leads to its siblings. */
export function Crumb({ label, rows, value, allLabel, ...props }: CrumbProps) {
  return (
    <Select
      size="xs"
      variant="unstyled"
      className={classes['crumb'] ?? ''}
      classNames={{ input: classes['input'] ?? '', section: classes['section'] ?? '' }}
      aria-label={label}
      placeholder={props.placeholder}
      nothingFoundMessage={props.nothingFound}
      searchable={rows.length > 8}
      limit={optionsShown}
      allowDeselect={false}
      disabled={props.isDisabled ?? false}
      leftSection={<Icon shape={props.icon} size={16} />}
      data={allLabel === undefined ? toldApart(rows) : [{ value: all, label: allLabel }, ...toldApart(rows)]}
      value={value ?? (allLabel === undefined ? null : all)}
      onChange={(id) => void props.onChoose(id === all ? null : id)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/** Names may be given twice; the number that the address has tells them apart. */
function toldApart(rows: CrumbProps['rows']): { value: number; label: string }[] {
  const given = new Map<string, number>();
  for (const { name } of rows) given.set(name, (given.get(name) ?? 0) + 1);
  return rows.map(({ id, name }) => ({
    value: id,
    label: (given.get(name) ?? 0) > 1 ? `${name} (${id})` : name,
  }));
}

import { Loader, Text, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './palette.module.css';
import { type Entry, rankEntries } from './rank-entries.ts';
import { useDocumentEntries } from './use-document-entries.ts';
import { useEntries } from './use-entries.ts';
import { useThings } from './use-things.ts';

/** The box and what it finds, as one combobox: the focus stays in the box. */
export function PaletteList({ onChosen }: { onChosen: () => void }) {
  const [query, setQuery] = useState('');
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const listId = useId();
  const { isLoading, ...things } = useThings();
  const documents = useDocumentEntries(useDeferredValue(query), things.collections);
  const shown = [...rankEntries(useEntries(things), query), ...documents.entries];
  const active = Math.max(
    0,
    shown.findIndex(({ key }) => key === activeKey),
  );
  const choose = (entry: Entry) => {
    onChosen();
    entry.run();
  };
  const move = (to: number) => setActiveKey(shown.at(to % Math.max(1, shown.length))?.key ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Home: () => move(0),
      End: () => move(-1),
      Enter: () => shown[active] && choose(shown[active]),
    };
    const step = event.nativeEvent.isComposing ? undefined : steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <>
      <div className={classes['head']}>
        <Icon shape={searchIcon} size={20} />
        <input
          className={classes['box']}
          role="combobox"
          aria-label="Search everything"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={shown[active] ? optionId(listId, active) : undefined}
          placeholder="Pages, actions, collections, documents …"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActiveKey(null);
          }}
          onKeyDown={onKeyDown}
        />
        {isLoading && <Loader size="xs" aria-label="Loading" />}
      </div>
      <div id={listId} role="listbox" aria-label="Results" className={classes['list']}>
        {shown.map((entry, i) => (
          <Option
            key={entry.key}
            id={optionId(listId, i)}
            entry={entry}
            isActive={i === active}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" className={classes['none'] ?? ''}>
          {documents.isSearching
            ? 'Searching the documents …'
            : 'Nothing has this name, and no document these words.'}
        </Text>
      )}
      {documents.failure && (
        <Text size="sm" c="dimmed" className={classes['none'] ?? ''}>
          Documents could not be searched: {documents.failure}
        </Text>
      )}
      <VisuallyHidden role="status">
        {query && !documents.isSearching && `${shown.length} ${shown.length === 1 ? 'result' : 'results'}`}
      </VisuallyHidden>
    </>
  );
}

function optionId(listId: string, i: number): string {
  return `${listId}-${i}`;
}

function Option(props: { id: string; entry: Entry; isActive: boolean; onChoose: () => void }) {
  const { entry, isActive } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box, which has the focus, takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
    <div
      ref={row}
      id={props.id}
      role="option"
      aria-selected={isActive}
      className={classes['option']}
      onClick={props.onChoose}
    >
      <Icon shape={entry.icon} size={18} />
      <span className={classes['label']} dir="auto">
        {entry.label}
      </span>
      {entry.detail && (
        <span className={classes['detail']} dir="auto">
          {entry.detail}
        </span>
      )}
      <span className={classes['kind']}>{entry.kind}</span>
    </div>
  );
}

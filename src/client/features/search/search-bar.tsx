import { Button, CloseButton, Paper, SegmentedControl, Select, Slider, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import classes from './search-bar.module.css';
import type { ChangeSearch, SearchState } from './search-state.ts';

interface SearchBarProps {
  state: SearchState;
  onChange: ChangeSearch;
  collections: Collection[];
  /** The same search once more: documents may have changed outside this page. */
  onRepeat: () => void;
}

/** Stands for no collection in particular; no id is 0. */
const all = 0;

const modes: { value: SearchMode; label: string }[] = [
  { value: 'keyword', label: 'Keyword' },
  { value: 'vector', label: 'Semantic' },
  { value: 'hybrid', label: 'Hybrid' },
];

export function SearchBar({ state, onChange, onRepeat, collections }: SearchBarProps) {
  return (
    <Paper withBorder className={classes['bar'] ?? ''}>
      {/* A link, Back or Forward brings other words: the box starts from them. What is typed here has become the address before. */}
      <QueryForm state={state} onChange={onChange} onRepeat={onRepeat} />
      <div className={classes['options']}>
        <CollectionSelect state={state} onChange={onChange} collections={collections} />
        <SegmentedControl
          className={classes['modes'] ?? ''}
          aria-label="Search mode"
          data={modes}
          value={state.mode}
          onChange={(mode) => onChange({ mode, page: 1 })}
        />
        {state.mode === 'hybrid' && <AlphaSlider key={state.alpha} state={state} onChange={onChange} />}
      </div>
    </Paper>
  );
}

function CollectionSelect({
  state,
  onChange,
  collections,
}: Pick<SearchBarProps, 'state' | 'onChange' | 'collections'>) {
  const names = new Map<string, number>();
  for (const { name } of collections) names.set(name, (names.get(name) ?? 0) + 1);
  const labelOf = ({ name, projectId }: Collection) =>
    names.get(name) === 1 ? name : `${name} (project ${projectId})`;
  return (
    <Select<number>
      className={classes['collection'] ?? ''}
      aria-label="Collection"
      allowDeselect={false}
      searchable={collections.length > 8}
      data={[
        { value: all, label: 'All' },
        ...collections.map((collection) => ({ value: collection.id, label: labelOf(collection) })),
      ]}
      value={collections.find(({ id }) => id === state.collection)?.id ?? all}
      onChange={(id) =>
        onChange({ collection: id === all ? undefined : (id ?? undefined), facets: {}, sort: '', page: 1 })
      }
    />
  );
}

/** So long after the last key the search starts. */
const typingPauseMs = 120;
/** Typing that goes on within this time stays one step of the browser's history. */
const samePhraseMs = 1_500;

/** The address but for the words. */
function restOf({ q: _, ...rest }: SearchState): string {
  return JSON.stringify(rest);
}

type QueryFormProps = Pick<SearchBarProps, 'state' | 'onChange' | 'onRepeat'>;

interface Typed {
  text: string;
  /** The address's words when `text` was last reconciled with them. */
  from: string;
  /** What this box has put into the address and what is not there yet, oldest first. */
  sent: string[];
}

/** What stands in the box, and its way into the address. */
function useTypedQuery({ state, onChange, onRepeat }: QueryFormProps) {
  const [typed, setTyped] = useState<Typed>({ text: state.q, from: state.q, sent: [] });
  const last = useRef({ at: 0, q: '', rest: '' });
  if (typed.from !== state.q) {
    // The address changed: by our own commit (the box may be ahead of it), or by a link, Back or Forward.
    const arrived = typed.sent.indexOf(state.q);
    setTyped({
      text: arrived === -1 ? state.q : typed.text,
      from: state.q,
      sent: arrived === -1 ? [] : typed.sent.slice(arrived + 1),
    });
  }
  const commit = (q: string) => {
    if (q === state.q) return;
    const now = Date.now();
    const { at, ...before } = last.current;
    // Only while the address is still the one that typing made: a page turned or a step Back in between stays a step.
    const isOwn = typed.sent.length > 0 || (state.q === before.q && restOf(state) === before.rest);
    setTyped((earlier) => ({ ...earlier, sent: [...earlier.sent, q] }));
    onChange({ q, page: 1 }, { replace: isOwn && now - at < samePhraseMs });
    last.current = { at: now, q, rest: restOf({ ...state, page: 1 }) };
  };
  const commitSoon = useDebouncedCallback(commit, typingPauseMs);
  const type = (text: string) => {
    setTyped((earlier) => ({ ...earlier, text }));
    commitSoon(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commitSoon.cancel();
    if (typed.text === state.q) onRepeat();
    else commit(typed.text);
  };
  return { text: typed.text, type, submit };
}

function QueryForm(props: QueryFormProps) {
  const { text, type, submit } = useTypedQuery(props);
  return (
    <search>
      <form className={classes['query']} onSubmit={submit}>
        <TextInput
          className={classes['words'] ?? ''}
          size="md"
          type="search"
          aria-label="Search query"
          placeholder="What are you looking for?"
          maxLength={limits.queryCharactersMax}
          autoComplete="off"
          leftSection={<Icon shape={searchIcon} />}
          rightSection={text ? <CloseButton aria-label="Clear query" onClick={() => type('')} /> : null}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Button type="submit" size="md">
          Search
        </Button>
      </form>
    </search>
  );
}

function AlphaSlider({ state, onChange }: Pick<SearchBarProps, 'state' | 'onChange'>) {
  const [alpha, setAlpha] = useState(state.alpha);
  return (
    <div className={classes['alpha']}>
      <Text size="xs" c="dimmed" component="span" aria-hidden="true">
        words
      </Text>
      <Slider
        className={classes['slider'] ?? ''}
        min={0}
        max={1}
        step={0.05}
        size="sm"
        label={(value) => value.toFixed(2)}
        thumbLabel="Weight of meaning against words"
        value={alpha}
        onChange={setAlpha}
        onChangeEnd={(value) => onChange({ alpha: value, page: 1 })}
      />
      <Text size="xs" c="dimmed" component="span">
        meaning {alpha.toFixed(2)}
      </Text>
    </div>
  );
}

import { ActionIcon, CloseButton, Paper, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { adjustmentsHorizontalIcon, searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import sliderClasses from '#client/components/fields/alpha-slider.module.css';
import { Select } from '#client/components/later/select.tsx';
import { laterPart } from '#client/lib/lazy-part.ts';
import { withoutLeastRelevance } from '#client/lib/tuned-search.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import classes from './search-bar.module.css';
import type { ChangeSearch, SearchState } from './search-state.ts';
import type { TypedPart } from './use-typed-search.ts';

const AlphaSlider = laterPart(async () => ({
  default: (await import('#client/components/fields/alpha-slider.tsx')).AlphaSlider,
}));

interface SearchBarProps {
  state: SearchState;
  onChange: ChangeSearch;
  typed: TypedPart;
  /** How much meaning counted in what is on screen; absent: that is not known. */
  alpha: number | undefined;
  onType: (change: Partial<TypedPart>) => void;
  onSubmit: () => void;
  collections: Collection[];
  /** The filter, on the options' line. */
  children: ReactNode;
}

/** Shown until it is known what counted. */
const halfAndHalf = 0.5;

/** Stands for no collection in particular; no id is 0. */
const all = 0;

/** The last one shows all three. */
const modes: { value: SearchMode | 'compare'; label: string }[] = [
  { value: 'keyword', label: 'Keyword' },
  { value: 'vector', label: 'Semantic' },
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'compare', label: 'Side by side' },
];

/** What is searched for, where, and how; on a phone the how is folded. */
export function SearchBar(props: SearchBarProps) {
  const { state, onChange, typed, onType } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Paper withBorder className={classes['bar'] ?? ''}>
      <div className={classes['first']}>
        <CollectionSelect {...props} />
        <QueryForm {...props} />
        <button type="button" className={classes['skip']} onClick={toResults}>
          Skip to results
        </button>
        <ActionIcon
          size={36}
          variant="default"
          className={classes['more'] ?? ''}
          aria-label="Search options"
          aria-expanded={isOpen}
          aria-controls="search-options"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon shape={adjustmentsHorizontalIcon} />
        </ActionIcon>
      </div>
      <div id="search-options" className={classes['options']} data-open={isOpen || undefined}>
        <SegmentedControl
          size="xs"
          className={classes['modes'] ?? ''}
          aria-label="Search mode"
          data={modes}
          value={state.view === 'compare' ? 'compare' : state.mode}
          onChange={(mode) =>
            // Relevance is told of searches of one mode; another may not be calibrated.
            onChange({
              ...(mode === 'compare' ? { view: 'compare' } : { view: 'list', mode, page: 1 }),
              tuned: withoutLeastRelevance(state.tuned),
            })
          }
        />
        {(state.mode === 'hybrid' || state.view === 'compare') && (
          <Suspense fallback={<div className={sliderClasses['root']} />}>
            <AlphaSlider
              alpha={typed.alpha ?? props.alpha ?? halfAndHalf}
              onChange={(alpha) => onType({ alpha })}
            />
          </Suspense>
        )}
        <div className={classes['filter']}>{props.children}</div>
      </div>
    </Paper>
  );
}

/** The first hit, or where it would be. */
function toResults() {
  const hit = document.querySelector<HTMLElement>('#search-results [data-hit]');
  (hit ?? document.getElementById('search-results'))?.focus();
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
        onChange({
          collection: id === all ? undefined : (id ?? undefined),
          facets: {},
          ranges: {},
          sort: '',
          skip: [],
          tuned: {},
          open: undefined,
          page: 1,
        })
      }
    />
  );
}

function QueryForm({ typed, onType, onSubmit }: Pick<SearchBarProps, 'typed' | 'onType' | 'onSubmit'>) {
  const [box, setBox] = useState<HTMLInputElement | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const clear = () => {
    onType({ q: '' });
    box?.focus();
  };
  return (
    <search className={classes['words']}>
      <form onSubmit={submit}>
        <TextInput
          ref={setBox}
          type="search"
          dir="auto"
          aria-label="Search query"
          aria-keyshortcuts="/"
          placeholder="What are you looking for?"
          maxLength={limits.queryCharactersMax}
          autoComplete="off"
          leftSection={
            <ActionIcon type="submit" aria-label="Search">
              <Icon shape={searchIcon} />
            </ActionIcon>
          }
          leftSectionPointerEvents="all"
          rightSection={typed.q ? <CloseButton aria-label="Clear query" onClick={clear} /> : null}
          value={typed.q}
          onChange={(event) => onType({ q: event.currentTarget.value })}
        />
      </form>
    </search>
  );
}

import { CloseButton, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { filterIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import classes from './filter-box.module.css';
import { typedPosition } from './search-request.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';

/** What is wrong with the filter as typed; `position` is null where it is not known. */
export interface FilterFault {
  message: string;
  position: number | null;
}

interface FilterBoxProps {
  state: SearchState;
  onChange: ChangeSearch;
  fault: FilterFault | null;
}

const typingPauseMs = 400;

export function FilterBox({ state, onChange, fault }: FilterBoxProps) {
  const [typed, setTyped] = useState({ text: state.filter, from: state.filter });
  if (typed.from !== state.filter) setTyped({ text: state.filter, from: state.filter });
  const commit = useDebouncedCallback((filter: string) => onChange({ filter, page: 1 }), typingPauseMs);
  const type = (text: string) => {
    setTyped({ ...typed, text });
    commit(text);
  };
  return (
    <TextInput
      aria-label="Filter"
      placeholder="Filter, for example price:[10..50] && in_stock:true"
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      maxLength={limits.filterCharactersMax}
      classNames={{ input: classes['input'] ?? '' }}
      leftSection={<Icon shape={filterIcon} />}
      rightSection={typed.text ? <CloseButton aria-label="Clear filter" onClick={() => type('')} /> : null}
      value={typed.text}
      onChange={(event) => type(event.currentTarget.value)}
      error={fault && typed.text === state.filter ? <FaultText text={typed.text} fault={fault} /> : null}
      errorProps={{ component: 'div' }}
    />
  );
}

/** The filter once more, marked where reading it stopped, with what was expected there. */
function FaultText({ text, fault }: { text: string; fault: FilterFault }) {
  const { message, position } = fault;
  return (
    <>
      {position !== null && (
        <div className={classes['place']} aria-hidden="true">
          {text.slice(Math.max(0, position - 24), position)}
          <span className={classes['fault']}>{text.slice(position, position + 1) || ' '}</span>
          {text.slice(position + 1, position + 24)}
        </div>
      )}
      <Text size="sm" component="div">
        {position === null ? message : `At character ${position + 1}: ${message}`}
      </Text>
    </>
  );
}

/** The part of a failure that is about `filter_by`, that of a search in a list of searches too; null: something else failed. */
export function filterFault(state: SearchState, details: ErrorDetail[]): FilterFault | null {
  const detail = details.find(({ path }) => path.split('.').at(-1) === 'filter_by');
  if (!detail) return null;
  return {
    message: detail.message,
    position: detail.position === undefined ? null : typedPosition(state, detail.position),
  };
}

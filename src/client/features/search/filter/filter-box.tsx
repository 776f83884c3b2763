import { CloseButton, Text, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { typedPosition } from '../search-request.ts';
import type { SearchState } from '../search-state.ts';
import classes from './filter-box.module.css';
import { FilterBuilder } from './filter-builder.tsx';

const MeantFilter = lazy(() =>
  import('./meant-filter.tsx').then((module) => ({ default: module.MeantFilter })),
);

/** What is wrong with the filter as typed; `position` is null where it is not known. */
export interface FilterFault {
  message: string;
  position: number | null;
}

interface FilterBoxProps {
  text: string;
  onType: (filter: string) => void;
  /** Of the text as it stands; null: none, or it is not known yet. */
  fault: FilterFault | null;
  /** The fields that can be filtered by; empty where they are not known. */
  fields: string[];
}

/** The hits of the last filter that could be read stay while another one is being typed. */
export function FilterBox({ text, onType, fault, fields }: FilterBoxProps) {
  const isUnfinished = fault?.position != null && fault.position >= text.trimEnd().length;
  return (
    <TextInput
      size="xs"
      aria-label="Filter"
      placeholder="Filter, for example price:[10..50] && in_stock:true"
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      maxLength={limits.filterCharactersMax}
      classNames={{ input: classes['input'] ?? '' }}
      leftSection={<FilterBuilder text={text} onType={onType} fields={fields} />}
      leftSectionPointerEvents="all"
      rightSection={
        text ? <CloseButton size="sm" aria-label="Clear filter" onClick={() => onType('')} /> : null
      }
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      // What is not finished is not wrong.
      error={fault && !isUnfinished ? <FaultText text={text} fault={fault} /> : null}
      errorProps={{ component: 'div' }}
      description={
        fault && (
          <>
            {isUnfinished && <FaultText text={text} fault={fault} />}
            <Suspense fallback={null}>
              <MeantFilter text={text} fields={fields} onType={onType} />
            </Suspense>
          </>
        )
      }
      descriptionProps={{ component: 'div' }}
      inputWrapperOrder={['input', 'error', 'description']}
    />
  );
}

/** The filter once more, marked where reading it stopped, with what was expected there. */
function FaultText({ text, fault }: { text: string; fault: FilterFault }) {
  const { message, position } = fault;
  return (
    <div className={classes['said']}>
      {position !== null && (
        <span className={classes['place']} aria-hidden="true">
          {text.slice(Math.max(0, position - 24), position)}
          <span className={classes['fault']}>{text.slice(position, position + 1) || ' '}</span>
          {text.slice(position + 1, position + 24)}
        </span>
      )}
      <Text size="xs" component="span">
        {position === null ? message : `At character ${position + 1}: ${message}`}
      </Text>
    </div>
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

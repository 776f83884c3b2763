import { ActionIcon, CloseButton, Text, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';
import { limits } from '#shared/limits.ts';
import { Icon } from '../display/icon.tsx';
import { filterIcon } from '../display/icon-shapes.gen.ts';
import classes from './filter-box.module.css';
import type { FilterFault } from './filter-fault.ts';

/** Stands in for the builder's button until that is fetched. */
const builderButton = (
  <ActionIcon size="sm" aria-label="Build the filter" aria-disabled>
    <Icon shape={filterIcon} size={16} />
  </ActionIcon>
);

const FilterBuilder = laterPart(async () => ({
  default: (await import('./filter-builder.tsx')).FilterBuilder,
}));

const MeantFilter = lazy(() =>
  import('./meant-filter.tsx').then((module) => ({ default: module.MeantFilter })),
);

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
      leftSection={
        <Suspense fallback={builderButton}>
          <FilterBuilder text={text} onType={onType} fields={fields} />
        </Suspense>
      }
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

import { Button, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditActor, AuditOutcome } from '#shared/audit-names.ts';
import type { ChangeSettings } from '../settings-state.ts';
import classes from './audit-filters.module.css';
import { type AuditState, auditDefaults } from './audit-state.ts';
import { actionWords, actorWords, outcomeWords } from './audit-words.ts';
import { isNarrowed } from './use-audit-entries.ts';

interface AuditFiltersProps {
  state: AuditState;
  onChange: ChangeSettings;
  /** Stands at the end of the row. */
  exporting: ReactNode;
}

const choicesOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const actions = choicesOf(actionWords);
const actors = choicesOf(actorWords);
const outcomes = choicesOf(outcomeWords);

export function AuditFilters({ state, onChange, exporting }: AuditFiltersProps) {
  const narrow = (change: Partial<AuditState>) => onChange({ ...change, page: 1, entry: 0 });
  // A link may name what is in no list.
  const isKnown = state.action === '' || state.action in actionWords;
  return (
    <div className={classes['bar']}>
      <Select
        label="Action"
        placeholder="All"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All actions' }}
        nothingFoundMessage="No such action"
        data={isKnown ? actions : [{ value: state.action, label: state.action }, ...actions]}
        value={state.action || null}
        onChange={(action) => narrow({ action: action ?? '' })}
        className={classes['action'] ?? ''}
      />
      <Select
        label="By"
        placeholder="Anybody"
        clearable
        clearButtonProps={{ 'aria-label': 'By anybody' }}
        data={actors}
        value={state.actor || null}
        onChange={(actor) => narrow({ actor: (actor ?? '') as AuditActor | '' })}
        className={classes['choice'] ?? ''}
      />
      <Select
        label="Outcome"
        placeholder="All"
        clearable
        clearButtonProps={{ 'aria-label': 'All outcomes' }}
        data={outcomes}
        value={state.outcome || null}
        onChange={(outcome) => narrow({ outcome: (outcome ?? '') as AuditOutcome | '' })}
        className={classes['choice'] ?? ''}
      />
      <TextInput
        label="From"
        type="date"
        max={state.until || undefined}
        value={state.since}
        onChange={(event) => narrow({ since: event.currentTarget.value })}
        className={classes['day'] ?? ''}
      />
      <TextInput
        label="Until"
        type="date"
        min={state.since || undefined}
        value={state.until}
        onChange={(event) => narrow({ until: event.currentTarget.value })}
        className={classes['day'] ?? ''}
      />
      {isNarrowed(state) && (
        <Button variant="subtle" onClick={() => narrow(auditDefaults)}>
          Clear
        </Button>
      )}
      <div className={classes['end']}>{exporting}</div>
    </div>
  );
}

import {
  Alert,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Switch,
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, useId } from 'react';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import { limits } from '#shared/limits.ts';
import type { Override } from '#shared/overrides.ts';
import { SaveButton } from '../save-button.tsx';
import { type OverrideEdit, toOverride } from '../tuning-draft.ts';
import classes from '../tuning-form.module.css';
import { MomentField } from './moment-field.tsx';
import { overrideName } from './override-name.ts';
import { PlacedDocuments } from './placed-documents.tsx';

interface OverrideFormProps {
  collection: number;
  edit: OverrideEdit;
  onChange: (edit: OverrideEdit | null) => void;
  /** The names that others have. */
  taken: string[];
  /** Why the preview does not show it; null: it does. */
  silence: string | null;
}

/** An override while it is written; the preview has it already. */
export function OverrideForm({ collection, edit, onChange, taken, silence }: OverrideFormProps) {
  const titleId = useId();
  const may = useMay();
  const override = toOverride(edit);
  const upsert = trpc.overrides.upsert.useMutation({
    meta: { changes: 'overrides' },
    onSuccess: ({ id }) => {
      onChange(null);
      toast({ title: 'Override saved', description: id });
    },
  });
  const send = useOnce(upsert.mutateAsync, () => edit);
  const set: PartProps['set'] = (change) =>
    onChange({ ...edit, override: { ...edit.override, ...change } as Override });
  const isTaken = edit.saved === null && override !== null && taken.includes(override.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (override && !isTaken && may('editor')) send({ collection, ...override });
  };
  return (
    <Paper
      withBorder
      component="form"
      noValidate
      aria-labelledby={titleId}
      className={classes['form'] ?? ''}
      onSubmit={submit}
    >
      <Stack gap="md">
        <Title order={2} size="h3" id={titleId} dir="auto">
          {edit.saved ? `Edit override ${overrideName(edit.saved)}` : 'New override'}
        </Title>
        {upsert.error && <FormFailure error={upsert.error} fallback="The override could not be saved" />}
        {silence !== null && <Alert color="yellow">{silence}</Alert>}
        <RuleFields override={edit.override} set={set} />
        {edit.saved === null && (
          <TextInput
            label="Name"
            description="Where several match a query, the first by name acts."
            placeholder={edit.override.rule.query.trim() || 'love'}
            autoComplete="off"
            dir="auto"
            value={edit.override.id}
            error={isTaken ? 'There is an override of this name' : null}
            onChange={(event) => set({ id: event.currentTarget.value })}
          />
        )}
        <PlacedDocuments
          collection={collection}
          override={edit.override}
          onChange={(next) => onChange({ ...edit, override: next })}
        />
        <Disclosure label="Filter, order, other words, time">
          <MoreFields override={edit.override} set={set} />
        </Disclosure>
        <Switch
          label="Active"
          checked={edit.override.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onChange(null)}>
            Cancel
          </Button>
          <SaveButton disabled={override === null || isTaken} loading={upsert.isPending}>
            Save override
          </SaveButton>
        </Group>
      </Stack>
    </Paper>
  );
}

interface PartProps {
  override: Override;
  /** A part that is undefined is none. */
  set: (change: { [Part in keyof Override]?: Override[Part] | undefined }) => void;
}

function RuleFields({ override: { rule }, set }: PartProps) {
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Which queries"
        data={[
          { value: 'exact', label: 'The query is' },
          { value: 'contains', label: 'The query has' },
        ]}
        value={rule.match}
        onChange={(match) => set({ rule: { ...rule, match: match === 'contains' ? 'contains' : 'exact' } })}
      />
      <TextInput
        label="Query"
        description={
          rule.match === 'exact'
            ? 'All of it, whatever its case, accents and punctuation. * is the query for all documents.'
            : 'These words in a row, whatever stands around them.'
        }
        placeholder="love"
        dir="auto"
        autoComplete="off"
        maxLength={limits.queryCharactersMax}
        value={rule.query}
        onChange={(event) => set({ rule: { ...rule, query: event.currentTarget.value } })}
      />
    </Stack>
  );
}

function MoreFields({ override, set }: PartProps) {
  const { filter_by, sort_by, replace_query, from, until } = override;
  return (
    <Stack gap="md">
      <TextInput
        label="Show only what passes a filter"
        placeholder="year:<1960 && genres:=[Drama]"
        dir="auto"
        autoComplete="off"
        value={filter_by ?? ''}
        onChange={(event) => set({ filter_by: event.currentTarget.value })}
      />
      <TextInput
        label="In this order"
        placeholder="year:desc"
        autoComplete="off"
        value={sort_by ?? ''}
        onChange={(event) => set({ sort_by: event.currentTarget.value })}
      />
      <TextInput
        label="Search for other words instead"
        placeholder="romance"
        dir="auto"
        autoComplete="off"
        value={replace_query ?? ''}
        onChange={(event) => set({ replace_query: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <MomentField label="From" value={from} onChange={(moment) => set({ from: moment })} />
        <MomentField label="Until" value={until} onChange={(moment) => set({ until: moment })} />
      </Group>
    </Stack>
  );
}

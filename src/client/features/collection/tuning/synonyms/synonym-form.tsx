import { Button, Group, Paper, SegmentedControl, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, useId } from 'react';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import { SaveButton } from '../save-button.tsx';
import { type SynonymEdit, toSynonym } from '../tuning-draft.ts';
import classes from '../tuning-form.module.css';

interface SynonymFormProps {
  collection: number;
  edit: SynonymEdit;
  onChange: (edit: SynonymEdit | null) => void;
}

/** A synonym while it is written; the preview has it already. */
export function SynonymForm({ collection, edit, onChange }: SynonymFormProps) {
  const titleId = useId();
  const may = useMay();
  const synonym = toSynonym(edit);
  const upsert = trpc.synonyms.upsert.useMutation({
    meta: { changes: 'synonyms' },
    onSuccess: ({ synonyms, root }) => {
      onChange(null);
      toast({
        title: 'Synonym saved',
        description: [...(root === null ? [] : [root]), ...synonyms].join(', '),
      });
    },
  });
  const send = useOnce(upsert.mutateAsync, () => edit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (synonym && may('editor')) send({ collection, ...synonym });
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
        <Title order={2} size="h3" id={titleId}>
          {edit.saved ? 'Edit synonym' : 'New synonym'}
        </Title>
        {upsert.error && <FormFailure error={upsert.error} fallback="The synonym could not be saved" />}
        <SegmentedControl
          fullWidth
          aria-label="Which words find which"
          data={[
            { value: 'all', label: 'Both ways' },
            { value: 'root', label: 'One way' },
          ]}
          value={edit.root === null ? 'all' : 'root'}
          onChange={(kind) => onChange({ ...edit, root: kind === 'root' ? '' : null })}
        />
        {edit.root !== null && (
          <TextInput
            label="Who searches for"
            placeholder="phone"
            dir="auto"
            autoComplete="off"
            value={edit.root}
            onChange={(event) => onChange({ ...edit, root: event.currentTarget.value })}
          />
        )}
        <Textarea
          label={edit.root === null ? 'Words and phrases that mean the same' : 'finds these too'}
          description="One a line, or between commas. A phrase of several words is found as it stands."
          placeholder={edit.root === null ? 'tv\ntelevision\nidiot box' : 'smartphone\nhandset'}
          autosize
          minRows={3}
          maxRows={10}
          dir="auto"
          data-autofocus
          value={edit.words}
          onChange={(event) => onChange({ ...edit, words: event.currentTarget.value })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onChange(null)}>
            Cancel
          </Button>
          <SaveButton disabled={synonym === null} loading={upsert.isPending}>
            Save synonym
          </SaveButton>
        </Group>
      </Stack>
    </Paper>
  );
}

import { SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { alertComparisons, alertMetrics, alertMetricTable, alertTypes } from '#shared/alert-metrics.ts';
import { type AlertRule, alertRuleCreate } from '#shared/alerts.ts';

interface RuleDialogProps {
  opened: boolean;
  workspaceId: number;
  /** Null: a new one. */
  rule: AlertRule | null;
  onClose: () => void;
}

export function RuleDialog({ opened, onClose, ...rest }: RuleDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={rest.rule ? 'Edit alert rule' : 'New alert rule'}>
      <RuleForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

/** Numbers as they are typed. */
interface Values {
  name: string;
  type: AlertRule['type'];
  metric: AlertRule['metric'];
  comparison: AlertRule['comparison'];
  threshold: string;
  minutes: string;
}

const fresh: Values = {
  name: '',
  type: 'warning',
  metric: 'error_rate',
  comparison: 'above',
  threshold: '5',
  minutes: '5',
};
const typeLabels: Record<AlertRule['type'], string> = { info: 'Info', warning: 'Warning', error: 'Error' };

const sent = ({ threshold, minutes, ...values }: Values) => ({
  ...values,
  name: values.name.trim(),
  threshold: threshold.trim() === '' ? Number.NaN : Number(threshold),
  minutes: Number(minutes),
});

/** Inside the modal, so that it starts afresh each time. */
function RuleForm({ rule, workspaceId, onClose }: Omit<RuleDialogProps, 'opened'>) {
  const typeId = useId();
  const done = (title: string) => ({
    meta: { changes: 'alertRules' } as const,
    onSuccess: ({ name }: AlertRule) => {
      onClose();
      toast({ title, description: name });
    },
  });
  const create = trpc.alertRules.create.useMutation({
    ...done('Alert rule created'),
    onError: () => toastError('Failed to create the rule. Please try again.'),
  });
  const update = trpc.alertRules.update.useMutation({
    ...done('Alert rule updated'),
    onError: () => toastError('Failed to update the rule. Please try again.'),
  });
  const check = schemaSentences(alertRuleCreate);
  const form = useForm<Values>({
    initialValues: rule
      ? { ...rule, threshold: String(rule.threshold), minutes: String(rule.minutes) }
      : fresh,
    validate: (values) => check({ ...pickValues(values), workspaceId }),
  });
  const send = useOnce(async (values: Values) =>
    rule
      ? await update.mutateAsync({ id: rule.id, ...pickValues(values) })
      : await create.mutateAsync({ workspaceId, ...pickValues(values) }),
  );
  const { unit } = alertMetricTable[form.values.metric];
  return (
    <DialogForm
      submitLabel={rule ? 'Save changes' : 'Create rule'}
      isPending={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onSubmit={form.onSubmit((values) => send(values))}
      onCancel={onClose}
    >
      <NameField placeholder="Too many errors" {...form.getInputProps('name')} />
      {/* Across, as the names of metrics are long. */}
      <Select
        label="Metric"
        allowDeselect={false}
        data={alertMetrics.map((value) => ({ value, label: alertMetricTable[value].label }))}
        {...form.getInputProps('metric')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Select
          label="Is"
          allowDeselect={false}
          data={alertComparisons.map((value) => ({ value, label: value }))}
          {...form.getInputProps('comparison')}
        />
        <TextInput
          label={unit === '' ? 'Threshold' : `Threshold, in ${unit}`}
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps('threshold')}
        />
        <TextInput
          label="Over, in minutes"
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('minutes')}
        />
      </SimpleGrid>
      <Stack gap={6} align="flex-start">
        <Text size="sm" fw={500} id={typeId}>
          Type
        </Text>
        <SegmentedControl
          aria-labelledby={typeId}
          data={alertTypes.map((value) => ({ value, label: typeLabels[value] }))}
          {...form.getInputProps('type')}
        />
      </Stack>
    </DialogForm>
  );
}

/** A rule that is edited has more fields than its form. */
function pickValues({ name, type, metric, comparison, threshold, minutes }: Values) {
  return sent({ name, type, metric, comparison, threshold, minutes });
}

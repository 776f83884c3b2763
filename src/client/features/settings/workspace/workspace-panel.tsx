import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { DescriptionField } from '#client/components/fields/description-field.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { formatDate } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Membership, Workspace } from '#shared/workspaces.ts';
import { SettingsForm } from '../settings-form.tsx';

interface WorkspacePanelProps {
  workspace: Workspace;
  membership: Membership;
}

export function WorkspacePanel({ workspace, membership }: WorkspacePanelProps) {
  const { role } = membership;
  const mayEdit = role === 'owner' || role === 'admin';
  const update = trpc.workspaces.update.useMutation({ meta: { changes: 'workspaces' } });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { name: workspace.name, description: workspace.description ?? '' },
    validate: laterSentences(async () =>
      (await import('#shared/workspaces.ts')).workspaceCreate.pick({ name: true, description: true }),
    ),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      const { name, description } = await update.mutateAsync({ id: workspace.id, ...values });
      form.setInitialValues({ name, description: description ?? '' });
      form.setValues({ name, description: description ?? '' });
      toast({ title: 'Workspace updated', description: name });
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <Panel
      title="Workspace"
      detail={
        <Text size="sm" c="dimmed">
          Created {formatDate(workspace.createdAt)} · you are its {role}
        </Text>
      }
    >
      <SettingsForm
        submitLabel="Save changes"
        isPending={form.submitting}
        isReady={mayEdit && form.isDirty()}
        error={error}
        fallback="The workspace was not updated"
        onSubmit={submit}
      >
        <NameField readOnly={!mayEdit} {...form.getInputProps('name')} />
        <DescriptionField
          placeholder="What this workspace is for (optional)"
          readOnly={!mayEdit}
          {...form.getInputProps('description')}
        />
        {!mayEdit && (
          <Text size="sm" c="dimmed">
            Its owners and admins may change this.
          </Text>
        )}
      </SettingsForm>
    </Panel>
  );
}

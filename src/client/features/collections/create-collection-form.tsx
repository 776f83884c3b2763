import { Group, Select } from '@mantine/core';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { ProjectField } from '#client/components/fields/project-field.tsx';
import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { dimensionChoices, type Metric } from '#shared/limits.ts';
import type { Project } from '#shared/projects.ts';
import { CollectionFields } from './collection-fields.tsx';
import { MetadataFields } from './metadata-fields.tsx';
import { type CollectionForm, collectionInput, useCollectionForm } from './use-collection-form.ts';

const dimensions = dimensionChoices.map((value) => ({
  value,
  label: value === 768 ? '768 (default)' : String(value),
}));
const metrics: { value: Metric; label: string }[] = [
  { value: 'cosine', label: 'Cosine: the angle (default)' },
  { value: 'euclidean', label: 'Euclidean: the distance' },
  { value: 'dotproduct', label: 'Dot product: angle and length' },
];

export function CreateCollectionForm({ projectId, onClose }: DialogContentProps & { projectId?: number }) {
  const { projects, chosenId } = useProjectChoice(projectId);
  const form = useCollectionForm(chosenId);
  const create = trpc.collections.create.useMutation({
    meta: { changes: 'collections' },
    onSuccess: (collection) => {
      onClose();
      toast({ title: 'Collection created', description: collection.name });
    },
  });
  const send = useOnce(create.mutateAsync);
  return (
    <DialogForm
      submitLabel="Create collection"
      isPending={create.isPending}
      isReady={form.values.name.trim() !== ''}
      error={create.error}
      fallback="Failed to create collection"
      onSubmit={form.onSubmit((values) => send(collectionInput(values)))}
      onCancel={onClose}
    >
      <CollectionFields
        form={form}
        nameHint="Part of the address of every call, so short and plain is best."
      />
      <ProjectField
        projects={projects}
        value={form.values.projectId}
        onChange={(id) => form.setFieldValue('projectId', id)}
        error={form.errors['projectId']}
      />
      <VectorFields form={form} />
      <MetadataFields form={form} />
    </DialogForm>
  );
}

/** How documents become vectors, and when two are near. */
function VectorFields({ form }: { form: CollectionForm }) {
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <Select
        label="Dimension"
        description="Numbers in each vector"
        allowDeselect={false}
        data={dimensions}
        {...form.getInputProps('dimension')}
      />
      <Select
        label="Metric"
        description="What makes two vectors near"
        allowDeselect={false}
        data={metrics}
        {...form.getInputProps('metric')}
      />
    </Group>
  );
}

/** The projects to choose from, and the one to begin with: the one asked for, else the selected one, else the only one. */
function useProjectChoice(projectId: number | undefined): { projects: Project[]; chosenId: number | null } {
  const { projects: listed, project } = useWorkspace();
  // The page of a project may be open while another workspace is chosen.
  const isElsewhere = projectId !== undefined && !listed.some(({ id }) => id === projectId);
  const elsewhere = trpc.projects.get.useQuery({ id: projectId ?? 0 }, { enabled: isElsewhere });
  const projects = isElsewhere && elsewhere.data ? [...listed, elsewhere.data] : listed;
  const only = projects.length === 1 ? projects[0] : undefined;
  return { projects, chosenId: projectId ?? project?.id ?? only?.id ?? null };
}

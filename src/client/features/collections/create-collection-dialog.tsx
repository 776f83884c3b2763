import { Alert, Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { dimensionChoices, type Metric } from '#shared/limits.ts';
import { collectionInput, useCollectionForm } from './collection-form.ts';
import { MetadataFields } from './metadata-fields.tsx';

interface CreateCollectionDialogProps {
  opened: boolean;
  /** The project that is chosen to begin with; absent: the one selected in the top bar. */
  projectId?: number | undefined;
  onClose: () => void;
}

const metricLabels: Record<Metric, string> = {
  cosine: 'Cosine: the angle (default)',
  euclidean: 'Euclidean: the distance',
  dotproduct: 'Dot product: angle and length',
};

export function CreateCollectionDialog({ opened, onClose, projectId }: CreateCollectionDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create collection" size="lg">
      <CreateCollectionForm projectId={projectId} onClose={onClose} />
    </Modal>
  );
}

function CreateCollectionForm(props: { projectId: number | undefined; onClose: () => void }) {
  const { projects: listed, project } = useWorkspace();
  // The page of a project may be open while another workspace is chosen.
  const isElsewhere = props.projectId !== undefined && !listed.some(({ id }) => id === props.projectId);
  const elsewhere = trpc.projects.get.useQuery({ id: props.projectId ?? 0 }, { enabled: isElsewhere });
  const projects = isElsewhere && elsewhere.data ? [...listed, elsewhere.data] : listed;
  const chosenId = props.projectId ?? project?.id ?? (projects.length === 1 ? projects[0]?.id : undefined);
  const form = useCollectionForm(chosenId === undefined ? null : String(chosenId));
  const create = trpc.collections.create.useMutation({
    meta: { changes: 'collections' },
    onSuccess: (collection) => {
      props.onClose();
      toast({ title: 'Collection created', description: collection.name });
    },
  });
  const send = useOnce(create.mutateAsync);
  const submit = form.onSubmit((values) => send(collectionInput(values)));

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.error && (
          <Alert color="red" icon={<Icon name="alert" />} role="alert">
            {errorMessage(create.error, 'Failed to create collection')}
          </Alert>
        )}
        <TextInput
          label="Name"
          placeholder="products"
          description="Part of the address of every call, so short and plain is best."
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          placeholder="What the documents are (optional)"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('description')}
        />
        <Select
          label="Project"
          placeholder={projects.length === 0 ? 'This workspace has no project yet' : 'Choose a project'}
          required
          searchable={projects.length > 8}
          allowDeselect={false}
          data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps('projectId')}
        />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select
            label="Dimension"
            description="Numbers in each vector"
            allowDeselect={false}
            data={dimensionChoices.map((value) => ({
              value: String(value),
              label: value === 768 ? '768 (default)' : String(value),
            }))}
            {...form.getInputProps('dimension')}
          />
          <Select
            label="Metric"
            description="What makes two vectors near"
            allowDeselect={false}
            data={Object.entries(metricLabels).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('metric')}
          />
        </Group>
        <MetadataFields form={form} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={form.values.name.trim() === ''}>
            Create collection
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Icon } from '#client/components/display/icon.tsx';
import { projectCreate } from '#shared/projects.ts';

const schema = projectCreate.pick({ name: true, description: true });

export interface ProjectValues {
  name: string;
  description: string;
}

interface ProjectFieldsProps {
  initial: ProjectValues;
  submitLabel: string;
  isPending: boolean;
  /** Something other than the name stands in the way; said above the fields. */
  obstacle?: string | undefined;
  /** What the server refused, in its words. */
  error?: string | undefined;
  onSubmit: (values: ProjectValues) => void;
  onCancel: () => void;
}

/** Name and description, the same when a project is made and when it is edited. */
export function ProjectFields(props: ProjectFieldsProps) {
  const form = useForm<ProjectValues>({
    initialValues: props.initial,
    validate: schemaResolver(schema, { sync: true }),
  });
  const isReady = form.values.name.trim() !== '' && !props.obstacle;
  const submit = form.onSubmit(({ name, description }) =>
    props.onSubmit({ name: name.trim(), description: description.trim() }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {(props.obstacle || props.error) && (
          <Alert color={props.error ? 'red' : 'yellow'} icon={<Icon name="alert" />} role="alert">
            {props.error ?? props.obstacle}
          </Alert>
        )}
        <TextInput
          label="Name"
          placeholder="Online shop"
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          placeholder="What is searched here (optional)"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady} loading={props.isPending}>
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

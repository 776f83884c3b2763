import { useForm } from '@mantine/form';
import { DescriptionField } from '#client/components/fields/description-field.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
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
  /** Something other than the name stands in the way. */
  obstacle?: string | null;
  /** What the server refused. */
  error: unknown;
  onSubmit: (values: ProjectValues) => void;
  onCancel: () => void;
}

/** Name and description, the same when a project is made and when it is edited. */
export function ProjectFields({ initial, onSubmit, ...rest }: ProjectFieldsProps) {
  const form = useForm<ProjectValues>({
    initialValues: initial,
    validate: schemaSentences(schema),
  });
  return (
    <DialogForm
      {...rest}
      isReady={form.values.name.trim() !== ''}
      onSubmit={form.onSubmit((values) => onSubmit(values))}
    >
      <NameField placeholder="Online shop" {...form.getInputProps('name')} />
      <DescriptionField
        placeholder="What is searched here (optional)"
        {...form.getInputProps('description')}
      />
    </DialogForm>
  );
}

import type { GetInputPropsReturnType } from '@mantine/form';
import { DescriptionField } from '#client/components/fields/description-field.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import type { Collection } from '#shared/collections.ts';

/** The settings as both forms hold them; an empty text is none. */
export interface SettingsValues {
  name: string;
  description: string;
}

export const newSettings: SettingsValues = { name: '', description: '' };

export function settingsOf({ name, description }: Collection): SettingsValues {
  return { name, description: description ?? '' };
}

interface CollectionFieldsProps {
  form: {
    getInputProps: (path: keyof SettingsValues, options?: { type: 'checkbox' }) => GetInputPropsReturnType;
  };
  nameHint: string;
}

/** What is said of a collection when it is made and can be changed later. */
export function CollectionFields({ form, nameHint }: CollectionFieldsProps) {
  return (
    <>
      <NameField placeholder="products" description={nameHint} {...form.getInputProps('name')} />
      <DescriptionField
        placeholder="What the documents are (optional)"
        {...form.getInputProps('description')}
      />
    </>
  );
}

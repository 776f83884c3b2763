import type { GetInputPropsReturnType } from '@mantine/form';
import { DescriptionField } from '#client/components/fields/description-field.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';

interface CollectionFieldsProps {
  form: { getInputProps: (path: 'name' | 'description') => GetInputPropsReturnType };
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

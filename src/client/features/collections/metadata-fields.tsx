import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { type DeclaredField, fieldTypes } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import classes from './metadata-fields.module.css';
import type { CollectionForm } from './use-collection-form.ts';

const path = 'metadata.fields';

const newField: DeclaredField = { name: '', type: 'string', required: false };

/** Fields that documents must or may have, with their types; all others are welcome and inferred. */
export function MetadataFields({ form }: { form: CollectionForm }) {
  const rows = form.values.metadata.fields;
  return (
    <Fieldset legend="Metadata fields">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Optional. Documents are checked against the fields you declare here; other fields are welcome and
          their types are found out.
        </Text>
        {rows.map((row, index) => (
          <MetadataField key={form.key(`${path}.${index}`)} form={form} index={index} name={row.name} />
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon shape={plusIcon} />}
            disabled={rows.length >= limits.metadataFieldsMax}
            onClick={() => form.insertListItem(path, newField)}
          >
            Add field
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function MetadataField({ form, index, name }: { form: CollectionForm; index: number; name: string }) {
  const at = `${path}.${index}` as const;
  return (
    <div className={classes['row']}>
      <TextInput
        aria-label={`Name of field ${index + 1}`}
        placeholder="price"
        autoComplete="off"
        className={classes['name'] ?? ''}
        {...form.getInputProps(`${at}.name`)}
      />
      <Select
        aria-label={`Type of field ${index + 1}`}
        className={classes['type'] ?? ''}
        allowDeselect={false}
        data={[...fieldTypes]}
        {...form.getInputProps(`${at}.type`)}
      />
      <Checkbox
        label="Required"
        className={classes['required'] ?? ''}
        {...form.getInputProps(`${at}.required`, { type: 'checkbox' })}
      />
      <ActionIcon
        aria-label={`Remove field ${name || index + 1}`}
        onClick={() => form.removeListItem(path, index)}
      >
        <Icon shape={trashIcon} />
      </ActionIcon>
    </div>
  );
}

import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { fieldTypes } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { type CollectionForm, newFieldRow } from './collection-form.ts';
import classes from './metadata-fields.module.css';

/** Fields that documents must or may have, with their types; all others are welcome and inferred. */
export function MetadataFields({ form }: { form: CollectionForm }) {
  const rows = form.values.fields;
  return (
    <Fieldset legend="Metadata fields">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Optional. Documents are checked against the fields you declare here; other fields are welcome and
          their types are found out.
        </Text>
        {rows.map((row, index) => (
          <div key={row.key} className={classes['row']}>
            <TextInput
              aria-label={`Name of field ${index + 1}`}
              placeholder="price"
              autoComplete="off"
              className={classes['name'] ?? ''}
              {...form.getInputProps(`fields.${index}.name`)}
            />
            <Select
              aria-label={`Type of field ${index + 1}`}
              className={classes['type'] ?? ''}
              allowDeselect={false}
              data={[...fieldTypes]}
              {...form.getInputProps(`fields.${index}.type`)}
            />
            <Checkbox
              label="Required"
              className={classes['required'] ?? ''}
              {...form.getInputProps(`fields.${index}.required`, { type: 'checkbox' })}
            />
            <ActionIcon
              aria-label={`Remove field ${row.name || index + 1}`}
              onClick={() => form.removeListItem('fields', index)}
            >
              <Icon name="trash" />
            </ActionIcon>
          </div>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" />}
            disabled={rows.length >= limits.metadataFieldsMax}
            onClick={() => form.insertListItem('fields', newFieldRow())}
          >
            Add field
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { ProjectField } from '#client/components/fields/project-field.tsx';
import type { Target } from './use-target.ts';

const newCollection = 'new';

/** Which collection, or what a new one is called and where it lies. */
export function ImportTarget({ target }: { target: Target }) {
  const all = target.known;
  return (
    <SimpleGrid cols={{ base: 1, sm: target.isNew ? 3 : 1 }}>
      <Select
        label="Collection"
        allowDeselect={false}
        searchable={all.length > 8}
        data={[
          { value: newCollection, label: 'New collection' },
          ...all.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={target.chosen ? String(target.chosen.id) : newCollection}
        onChange={(value) => target.choose(value === newCollection ? null : Number(value))}
      />
      {target.isNew && (
        <>
          <TextInput
            label="Name of the collection"
            required
            value={target.name}
            onChange={(event) => target.setName(event.currentTarget.value)}
            autoComplete="off"
          />
          <ProjectField projects={target.projects} value={target.projectId} onChange={target.setProjectId} />
        </>
      )}
    </SimpleGrid>
  );
}

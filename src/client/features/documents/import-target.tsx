import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { ProjectField } from '#client/components/fields/project-field.tsx';
import type { Collection } from '#shared/collections.ts';
import type { Target } from './use-target.ts';

const newCollection = 'new';

/** Which collection, or what a new one is called and where it lies. */
export function ImportTarget({ target, collections }: { target: Target; collections: Collection[] }) {
  const { made } = target;
  const all = made && !collections.some(({ id }) => id === made.id) ? [...collections, made] : collections;
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

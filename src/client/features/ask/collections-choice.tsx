import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { limits } from '#shared/limits.ts';
import type { ChangeAsk } from './ask-state.ts';
import type { Askable } from './choose-collections.ts';
import classes from './composer.module.css';

interface CollectionsChoiceProps {
  askable: Askable;
  /** A conversation stays in its project. */
  isProjectFixed: boolean;
  onChange: ChangeAsk;
}

const searchFrom = 9;

/** A project, and which of its collections are asked. */
export function CollectionsChoice({ askable, isProjectFixed, onChange }: CollectionsChoiceProps) {
  const [search, setSearch] = useState('');
  const { projectId, inProject, chosen } = askable;
  const wanted = search.trim().toLowerCase();
  const matching = inProject.filter(({ name }) => name.toLowerCase().includes(wanted));
  const choose = (collections: number[] | undefined) => onChange({ collections }, { replace: true });
  return (
    <Stack gap="sm">
      {!isProjectFixed && <ProjectChoice projectId={projectId} onChoose={(ids) => choose(ids)} />}
      {inProject.length >= searchFrom && (
        <TextInput
          size="xs"
          aria-label="Find a collection"
          placeholder="Find a collection"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group
        aria-label="Collections"
        value={chosen.map(({ id }) => String(id))}
        // None would ask nothing: then it is all of them again.
        onChange={(ticked) => choose(ticked.length === 0 ? undefined : ticked.map(Number))}
      >
        <div className={classes['list']}>
          {matching.map(({ id, name, documentCount }) => (
            <Checkbox
              key={id}
              size="xs"
              value={String(id)}
              label={<span dir="auto">{name}</span>}
              description={documentCount === 1 ? '1 document' : `${formatNumber(documentCount)} documents`}
              disabled={chosen.length >= limits.chatCollectionsMax && !chosen.some((each) => each.id === id)}
            />
          ))}
        </div>
      </Checkbox.Group>
      {matching.length === 0 && (
        <Text size="xs" c="dimmed">
          {inProject.length === 0 ? 'No active collection is left in this project.' : 'No such collection.'}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        One question is about collections of one project, {limits.chatCollectionsMax} at most.
      </Text>
    </Stack>
  );
}

/** Where there are several. */
function ProjectChoice({
  projectId,
  onChoose,
}: {
  projectId: number | null;
  onChoose: (collections: number[] | undefined) => void;
}) {
  const { projects, selectProject } = useWorkspace();
  if (projects.length < 2) return null;
  return (
    <Select<number>
      size="xs"
      label="Project"
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      value={projectId}
      onChange={(id) => {
        if (id === null) return;
        selectProject(id);
        onChoose(undefined);
      }}
    />
  );
}

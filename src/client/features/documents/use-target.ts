import { useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { type ColumnPlan, declaredFields } from './import-plan.ts';
import { proposeName } from './infer-fields.ts';

interface Given {
  collections: Collection[];
  collectionId: number | null;
  projectId: number | undefined;
  fileName: string;
  columns: ColumnPlan[];
}

/** Where documents go: a collection that is there, or a new one, which is made when it is needed first. */
export function useTarget({ collections, collectionId, projectId, fileName, columns }: Given) {
  const { projects, project } = useWorkspace();
  const taken = collections.map(({ name }) => name);
  const [chosenId, setChosenId] = useState(collectionId);
  const [name, setName] = useState(() => freeName(proposeName(fileName), taken));
  const [intoProject, setIntoProject] = useState(projectId ?? project?.id ?? projects[0]?.id ?? null);
  const [made, setMade] = useState<Collection | null>(null);
  const create = trpc.collections.create.useMutation({ meta: { changes: 'collections' } });
  const known = [...collections, ...(made ? [made] : [])];
  const chosen = known.find(({ id }) => id === chosenId) ?? null;
  const inactive = chosen !== null && !chosen.isActive;

  return {
    chosen,
    isNew: chosen === null,
    choose: (id: number | null) => {
      setChosenId(id);
      // Why another one could not be made.
      create.reset();
    },
    made,
    name,
    setName,
    projects,
    projectId: intoProject,
    setProjectId: setIntoProject,
    isMaking: create.isPending,
    isReady: chosen !== null ? !inactive : name.trim() !== '' && intoProject !== null,
    fault: inactive
      ? `The collection ${chosen.name} is inactive: activate it to import documents.`
      : create.error
        ? errorMessage(create.error, 'Failed to create collection')
        : null,
    /** Null: it could not be made, which `fault` says. */
    ensure: async (): Promise<Collection | null> => {
      if (chosen) return chosen;
      if (intoProject === null) return null;
      const fields = declaredFields(columns);
      try {
        const collection = await create.mutateAsync({
          name,
          projectId: intoProject,
          ...(fields.length > 0 && { metadata: { fields } }),
        });
        setMade(collection);
        setChosenId(collection.id);
        return collection;
      } catch {
        // The mutation has its error, which is shown.
        return null;
      }
    },
  };
}

export type Target = ReturnType<typeof useTarget>;

function freeName(name: string, taken: string[]): string {
  if (!taken.includes(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.includes(`${name}-${count}`)) return `${name}-${count}`;
}

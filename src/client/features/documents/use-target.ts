import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { invalidate } from '#client/lib/invalidate.ts';
import { toastError } from '#client/lib/toast.ts';
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

/** A collection that is empty still, and as what it was made. */
interface Made {
  collection: Collection;
  as: string;
}

/**
 * Where documents go: a collection that is there, or a new one, which is made when it is needed first. What was made to check rows alone goes
 * when another is wanted or the dialog closes.
 */
export function useTarget({ collections, collectionId, projectId, fileName, columns }: Given) {
  const { projects, project } = useWorkspace();
  const { client } = trpc.useUtils();
  const queryClient = useQueryClient();
  const [chosenId, setChosenId] = useState(collectionId);
  const [name, setName] = useState(() =>
    freeName(
      proposeName(fileName),
      collections.map((one) => one.name),
    ),
  );
  const [intoProject, setIntoProject] = useState(projectId ?? project?.id ?? projects[0]?.id ?? null);
  const [madeId, setMadeId] = useState<number | null>(null);
  const made = useRef<Made | null>(null);
  const isClosed = useRef(false);
  const create = trpc.collections.create.useMutation({ meta: { changes: 'collections' } });
  const known = collections.filter(({ id }) => id !== madeId);
  const chosen = known.find(({ id }) => id === chosenId) ?? null;
  const inactive = chosen !== null && !chosen.isActive;

  const discard = async () => {
    const collection = made.current?.collection;
    if (!collection) return;
    made.current = null;
    try {
      await client.collections.delete.mutate({ collection: collection.id });
    } catch (error) {
      toastError(`The empty collection ${collection.name} could not be removed: ${errorMessage(error)}`);
    }
    await invalidate(queryClient, 'collections');
  };
  const close = useRef(discard);
  useEffect(() => {
    close.current = discard;
  });
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
      void close.current();
    };
  }, []);

  return {
    /** What can be chosen. */
    known,
    chosen,
    isNew: chosen === null,
    choose: (id: number | null) => {
      setChosenId(id);
      // Why another one could not be made.
      create.reset();
    },
    name,
    setName: (to: string) => setName(to),
    projects,
    projectId: intoProject,
    setProjectId: (id: number | null) => setIntoProject(id),
    isMaking: create.isPending,
    isReady: chosen !== null ? !inactive : name.trim() !== '' && intoProject !== null,
    fault: inactive
      ? `The collection ${chosen.name} is inactive: activate it to import documents.`
      : create.error
        ? errorMessage(create.error, 'Failed to create collection')
        : null,
    /** Null: it could not be made, which `fault` says, or nobody waits for it any more. */
    ensure: async (): Promise<Collection | null> => {
      if (chosen) return chosen;
      if (intoProject === null) return null;
      const fields = declaredFields(columns);
      const wanted = { name, projectId: intoProject, ...(fields.length > 0 && { metadata: { fields } }) };
      const as = JSON.stringify(wanted);
      if (made.current?.as === as) return made.current.collection;
      await discard();
      try {
        const collection = await create.mutateAsync(wanted);
        made.current = { collection, as };
        setMadeId(collection.id);
        if (!isClosed.current) return collection;
      } catch {
        // The mutation has its error, which is shown.
        return null;
      }
      await discard();
      return null;
    },
    /** Documents go into it: it stays. */
    keep: () => {
      made.current = null;
    },
  };
}

export type Target = ReturnType<typeof useTarget>;

function freeName(name: string, taken: string[]): string {
  if (!taken.includes(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.includes(`${name}-${count}`)) return `${name}-${count}`;
}

import { useState } from 'react';
import type { ApiKey } from '#shared/api-keys.ts';
import { keyPlaceholder, pickKey } from './snippet-key.ts';
import { trpc } from './trpc.ts';
import { useRevealKey } from './use-reveal-key.ts';
import { useMay } from './workspace-provider.tsx';

/** The key in code that is shown, and those that could stand there. */
export interface SnippetKey {
  /** Null: they are not known yet. */
  keys: ApiKey[] | null;
  /** Null: a placeholder stands there. */
  apiKey: ApiKey | null;
  /** Null: the placeholder. */
  choose(id: number | null): void;
  /** What is copied: the whole key, or the placeholder where there is none or it is not shown to the reader. */
  read(): Promise<{ apiKey: ApiKey | null; key: string }>;
  isRevealing: boolean;
}

interface SnippetKeyOptions {
  /** Null: the code is about no one project. */
  projectId: number | null;
  /** Whether the key can do what the code does. */
  fits: (key: ApiKey) => boolean;
  /** False: the keys are not asked for before they are read. */
  enabled?: boolean;
}

export function useSnippetKey({ projectId, fits, enabled = true }: SnippetKeyOptions): SnippetKey {
  const [chosen, choose] = useState<number | null>();
  const may = useMay();
  const { list } = trpc.useUtils().apiKeys;
  const { reveal, isPending: isRevealing } = useRevealKey({ isQuiet: true });
  const scope = { projectId: projectId ?? 0 };
  const query = trpc.apiKeys.list.useQuery(scope, { enabled: enabled && projectId !== null });
  // The server shows a key that writes to nobody who may not write.
  const fitting = (all: ApiKey[]) =>
    all.filter((key) => fits(key) && (may('editor') || !key.permissions.includes('write')));
  const keys = query.isPending ? null : fitting(query.data ?? []);
  return {
    keys,
    apiKey: pickKey(keys ?? [], chosen),
    choose,
    read: async () => {
      // Without the right to see keys the code is still worth having.
      const all = projectId === null ? [] : await list.ensureData(scope).catch((): ApiKey[] => []);
      const apiKey = pickKey(fitting(all), chosen);
      const key = apiKey && (await reveal(apiKey.id));
      return key === null ? { apiKey: null, key: keyPlaceholder } : { apiKey, key };
    },
    isRevealing,
  };
}

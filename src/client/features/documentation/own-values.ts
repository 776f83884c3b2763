import { useLocalStorage } from '@mantine/hooks';
import { createContext, use, useState } from 'react';
import type { Language } from '#client/lib/request-code.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';

/** The reader's own, which stands in the code of the articles. */
export interface OwnValues {
  collections: Collection[];
  /** Null: there is none yet, and the sample's name stands. */
  collection: Collection | null;
  /** That open the collection's project; null: they are not known yet. */
  keys: ApiKey[] | null;
  /** Null: a placeholder stands in the code. It is one that may only read unless the reader has chosen another. */
  apiKey: ApiKey | null;
  /** The whole key, once the reader has asked to see it. */
  shownKey: string | null;
  isRevealing: boolean;
  language: Language;
  chooseCollection(id: number): void;
  chooseKey(id: number | null): void;
  setLanguage(language: Language): void;
  /** Reveals the chosen key, or hides it again. */
  toggleKey(): Promise<void>;
}

const OwnValuesContext = createContext<OwnValues | null>(null);
export const OwnValuesProvider = OwnValuesContext.Provider;

export function useOwnValues(): OwnValues {
  const values = use(OwnValuesContext);
  if (!values) throw new Error('useOwnValues must be used within an OwnValuesProvider');
  return values;
}

export function useReadOwnValues(
  collectionId: number,
  chooseCollection: OwnValues['chooseCollection'],
): OwnValues {
  const [language, setLanguage] = useLocalStorage<Language>({
    key: 'documentationLanguage',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
    deserialize: (text) => languages.find((one) => text === one || text === `"${one}"`) ?? 'curl',
  });
  const collections = useCollections();
  const collection = collections.find(({ id }) => id === collectionId) ?? collections[0] ?? null;
  return { collections, collection, chooseCollection, language, setLanguage, ...useKeys(collection) };
}

const languages: Language[] = ['curl', 'python', 'fetch'];

/** Those of the chosen project, or of the whole workspace. */
function useCollections(): Collection[] {
  const { workspace, project } = useWorkspace();
  const { data = [] } = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  return data.filter(({ projectId }) => !project || projectId === project.id);
}

function useKeys(collection: Collection | null) {
  const [shown, setShown] = useState<{ id: number; key: string } | null>(null);
  const { reveal, isPending } = useRevealKey();
  const { keys, apiKey, choose } = useSnippetKey({
    projectId: collection?.projectId ?? null,
    fits: (key) => mayCall(key, 'read', collection),
  });
  const shownKey = shown !== null && shown.id === apiKey?.id ? shown.key : null;
  return {
    keys,
    apiKey,
    shownKey,
    isRevealing: isPending,
    chooseKey: choose,
    toggleKey: async () => {
      if (apiKey === null || shownKey !== null) return setShown(null);
      const key = await reveal(apiKey.id);
      setShown(key === null ? null : { id: apiKey.id, key });
    },
  };
}

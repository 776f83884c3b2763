import { useLocalStorage } from '@mantine/hooks';
import { createContext, use, useState } from 'react';
import { hasExpired } from '#client/lib/has-expired.ts';
import type { Language } from '#client/lib/request-code.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
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
  /** Null: there is none, or the reader may not see keys. */
  apiKey: ApiKey | null;
  /** The whole key, once the reader has asked to see it. */
  shownKey: string | null;
  isRevealing: boolean;
  language: Language;
  chooseCollection(id: number): void;
  chooseKey(id: number): void;
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
  const [chosenId, setChosenId] = useState(0);
  const [shown, setShown] = useState<{ id: number; key: string } | null>(null);
  const { reveal, isPending } = useRevealKey();
  const projectId = collection?.projectId ?? 0;
  // Whoever may not see keys reads the code with a placeholder.
  const list = trpc.apiKeys.list.useQuery({ projectId }, { enabled: projectId > 0 });
  const keys = list.isPending ? null : (list.data ?? []).filter((key) => canRead(key, collection));
  const apiKey =
    keys?.find(({ id }) => id === chosenId) ??
    keys?.find(({ permissions }) => !permissions.includes('write')) ??
    keys?.[0] ??
    null;
  const shownKey = shown !== null && shown.id === apiKey?.id ? shown.key : null;
  return {
    keys,
    apiKey,
    shownKey,
    isRevealing: isPending,
    chooseKey: setChosenId,
    toggleKey: async () => {
      if (apiKey === null || shownKey !== null) return setShown(null);
      const key = await reveal(apiKey.id);
      setShown(key === null ? null : { id: apiKey.id, key });
    },
  };
}

function canRead(key: ApiKey, collection: Collection | null): boolean {
  const isOpen =
    key.collections === null || (collection !== null && key.collections.includes(collection.name));
  return key.isActive && !hasExpired(key) && isOpen && key.permissions.includes('read');
}

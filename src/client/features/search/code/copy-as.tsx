import { Button, Menu } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { terminal2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { copyText } from '#client/lib/copy-text.ts';
import { hasExpired } from '#client/lib/has-expired.ts';
import type { Language } from '#client/lib/request-code.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { effectiveMode, mergedRequest, modePaths, pageRequest, searchRequest } from '../search-request.ts';
import type { SearchState } from '../search-state.ts';

interface CopyAsProps {
  state: SearchState;
  collection: Collection | null;
  collections: Collection[];
}

const placeholder = 'YOUR_API_KEY';

const languages: { value: Language | 'instantsearch'; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'fetch', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'instantsearch', label: 'InstantSearch' },
];

/** The search on screen as a call over REST, with a key of the project that may read, where there is one; which one is said. */
export function CopyAs({ state, collection, collections }: CopyAsProps) {
  const utils = trpc.useUtils();
  const { reveal, isPending } = useRevealKey({ isQuiet: true });
  // A key opens one project, so there is no one call for collections of several.
  const projects = new Set(collections.map(({ projectId }) => projectId));
  const projectId = collection?.projectId ?? (projects.size === 1 ? collections[0]?.projectId : undefined);
  if (projectId === undefined) return null;

  const copyAs = async (language: Language | 'instantsearch') => {
    // Without the right to see keys the code is still worth having.
    const keys = await utils.apiKeys.list.ensureData({ projectId }).catch((): ApiKey[] => []);
    const found = pickKey(keys, collection);
    const key = found ? await reveal(found.id) : null;
    await copyText(
      await codeOf(language, { state, collection, collections }, key ?? placeholder),
      found && key !== null
        ? `It uses the ${kindOf(found)} key “${found.name}”.`
        : `Put a key in place of ${placeholder}.`,
    );
  };
  // Its index is one collection.
  const offered = languages.filter(({ value }) => value !== 'instantsearch' || collection);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          loading={isPending}
          leftSection={<Icon shape={terminal2Icon} size={16} />}
        >
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => void copyAs(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** One that can do no more than read where there is one: everybody in the project may see it, and it is about to be pasted somewhere. */
function pickKey(keys: ApiKey[], collection: Collection | null): ApiKey | undefined {
  const fitting = keys.filter((key) => canRead(key, collection));
  return fitting.find((key) => !key.permissions.includes('write')) ?? fitting[0];
}

function kindOf({ permissions }: ApiKey): string {
  return permissions.includes('write') ? 'read and write' : 'read';
}

function canRead(key: ApiKey, collection: Collection | null): boolean {
  const isAlive = key.isActive && !hasExpired(key);
  const isOpen =
    key.collections === null || (collection !== null && key.collections.includes(collection.name));
  return isAlive && isOpen && key.permissions.includes('read');
}

async function codeOf(
  language: Language | 'instantsearch',
  shown: CopyAsProps,
  key: string,
): Promise<string> {
  if (language !== 'instantsearch') {
    const { requestCode } = await import('#client/lib/request-code.ts');
    return requestCode(language, requestOf(shown, key));
  }
  const { state, collection } = shown;
  if (!collection) throw new Error('InstantSearch was not offered');
  const { query: _, ...search } = searchRequest({ ...state, facets: {} }, []);
  const { instantSearchCode } = await import('./instant-search-code.ts');
  return instantSearchCode({
    url: `${window.location.origin}${restCall('POST /api/multi-search', {}).path}`,
    headers: { 'X-API-Key': key },
    collection: collection.name,
    search: { ...search, mode: state.mode },
    query: state.q.trim(),
    facets: state.facets,
  });
}

function requestOf({ state, collection, collections }: CopyAsProps, key: string) {
  const { origin } = window.location;
  const headers = { 'X-API-Key': key };
  if (!collection) {
    const names = collections.map(({ name }) => name);
    const { method, path } = restCall('POST /api/multi-search', {});
    return { method, url: `${origin}${path}`, headers, body: mergedRequest(state, names) };
  }
  const { method, path } = restCall(
    `POST /api/collections/{name}/${modePaths[effectiveMode(state)]}`,
    collection,
  );
  const body = { ...searchRequest(state, Object.keys(state.facets)), ...pageRequest(state) };
  return { method, url: `${origin}${path}`, headers, body };
}

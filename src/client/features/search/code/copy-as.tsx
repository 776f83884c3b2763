import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { terminal2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { copyText } from '#client/lib/copy-text.ts';
import type { Language } from '#client/lib/request-code.ts';
import { keyNote, mayCall } from '#client/lib/snippet-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { effectiveMode, mergedRequest, modePaths, pageRequest, searchRequest } from '../search-request.ts';
import type { SearchState } from '../search-state.ts';
import { toolLook } from '../tool-look.ts';
import { KeyItems } from './key-items.tsx';

interface CopyAsProps {
  state: SearchState;
  collection: Collection | null;
  collections: Collection[];
}

const languages: { value: Language | 'instantsearch'; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'fetch', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'instantsearch', label: 'InstantSearch' },
];

/** The search on screen as a call over REST, with a key of the project that may only read, or the one that is asked for; which one is said. */
export function CopyAs({ state, collection, collections }: CopyAsProps) {
  const [isOpened, setOpened] = useState(false);
  // A key opens one project, so there is no one call for collections of several.
  const projects = new Set(collections.map(({ projectId }) => projectId));
  const projectId = collection?.projectId ?? (projects.size === 1 ? collections[0]?.projectId : undefined);
  const { keys, apiKey, choose, read, isRevealing } = useSnippetKey({
    projectId: projectId ?? null,
    fits: (key) => mayCall(key, 'read', collection),
    enabled: isOpened,
  });
  if (projectId === undefined) return null;

  const copyAs = async (language: Language | 'instantsearch') => {
    const copied = await read();
    const code = await codeOf(language, { state, collection, collections }, copied.key);
    await copyText(code, keyNote(copied.apiKey));
  };
  // Its index is one collection.
  const offered = languages.filter(({ value }) => value !== 'instantsearch' || collection);
  return (
    <Menu position="bottom-end" opened={isOpened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          classNames={toolLook}
          loading={isRevealing}
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
        <KeyItems keys={keys} apiKey={apiKey} onChoose={choose} />
      </Menu.Dropdown>
    </Menu>
  );
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

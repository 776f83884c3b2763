import { Button } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { terminal2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { copyText } from '#client/lib/copy-text.ts';
import { type CurlRequest, curlCommand } from '#client/lib/curl-command.ts';
import { hasExpired } from '#client/lib/has-expired.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { effectiveMode, mergedRequest, modePaths, pageRequest, searchRequest } from './search-request.ts';
import type { SearchState } from './search-state.ts';

interface CopyCurlProps {
  state: SearchState;
  collection: Collection | null;
  collections: Collection[];
}

const placeholder = 'YOUR_API_KEY';

/** The search on screen as a call over REST, with a key of the project that may read, where there is one. */
export function CopyCurl({ state, collection, collections }: CopyCurlProps) {
  const utils = trpc.useUtils();
  const { reveal, isPending } = useRevealKey({ isQuiet: true });
  // A key opens one project, so there is no one call for collections of several.
  const projects = new Set(collections.map(({ projectId }) => projectId));
  const projectId = collection?.projectId ?? (projects.size === 1 ? collections[0]?.projectId : undefined);
  if (projectId === undefined) return null;

  const copyCommand = async () => {
    // Without the right to see keys the command is still worth having.
    const keys = await utils.apiKeys.list.ensureData({ projectId }).catch((): ApiKey[] => []);
    const found = pickKey(keys, collection);
    const key = (found && (await reveal(found.id))) ?? placeholder;
    await copyText(
      curlCommand(requestOf({ state, collection, collections }, key)),
      key === placeholder
        ? `Content copied to clipboard. Put a key in place of ${placeholder}.`
        : 'Content copied to clipboard',
    );
  };
  return (
    <Button
      variant="subtle"
      size="xs"
      loading={isPending}
      leftSection={<Icon shape={terminal2Icon} />}
      onClick={copyCommand}
    >
      Copy as curl
    </Button>
  );
}

/** One that can do no more than read where there is one: everybody in the project may see it, and it is about to be pasted somewhere. */
function pickKey(keys: ApiKey[], collection: Collection | null): ApiKey | undefined {
  const fitting = keys.filter((key) => canRead(key, collection));
  return fitting.find((key) => !key.permissions.includes('write')) ?? fitting[0];
}

function canRead(key: ApiKey, collection: Collection | null): boolean {
  const isAlive = key.isActive && !hasExpired(key);
  const isOpen =
    key.collections === null || (collection !== null && key.collections.includes(collection.name));
  return isAlive && isOpen && key.permissions.includes('read');
}

function requestOf({ state, collection, collections }: CopyCurlProps, key: string): CurlRequest {
  const { origin } = window.location;
  const headers = { 'X-API-Key': key };
  if (!collection) {
    const names = collections.map(({ name }) => name);
    const body = mergedRequest(state, names);
    const { method, path } = restCall('POST /api/multi-search', {});
    return { method, url: `${origin}${path}`, headers, body };
  }
  const { method, path } = restCall(
    `POST /api/collections/{name}/${modePaths[effectiveMode(state)]}`,
    collection,
  );
  const body = { ...searchRequest(state, Object.keys(state.facets)), ...pageRequest(state) };
  return { method, url: `${origin}${path}`, headers, body };
}

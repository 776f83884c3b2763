import { Box } from '@mantine/core';
import { Snippet } from '#client/components/display/snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { hasExpired } from '#client/lib/has-expired.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { sampleSets } from '#shared/sample-sets.ts';

interface KeySnippetProps {
  keys: ApiKey[];
  collections: Collection[];
}

/** A search that works as pasted: the first key that may read, on the first collection it may see. The key is fetched when it is copied. */
export function KeySnippet({ keys, collections }: KeySnippetProps) {
  const { reveal } = useRevealKey();
  const apiKey = keys.find((key) => key.isActive && !hasExpired(key) && key.permissions.includes('read'));
  const collection = collections.find(
    ({ name, isActive }) => isActive && (apiKey?.collections?.includes(name) ?? true),
  );
  if (!apiKey || !collection) return null;
  const { method, path } = restCall('GET /api/collections/{name}/hybrid-search', collection);
  const command = (key: string) =>
    curlCommand({
      method,
      url: `${window.location.origin}${path}?query=${encodeURIComponent(exampleQuery(collection))}`,
      headers: { 'X-API-Key': key },
    });
  const copied = async () => {
    const key = await reveal(apiKey.id);
    return key === null ? null : command(key);
  };
  return (
    <Box mt="lg">
      <Snippet
        title={`Search ${collection.name} with the key ${apiKey.name}`}
        code={command(apiKey.key)}
        copied={copied}
      />
    </Box>
  );
}

/** One that finds something: a sample's own, elsewhere everything. */
function exampleQuery({ description }: Collection): string {
  return Object.values(sampleSets).find((sample) => sample.description === description)?.query ?? '*';
}

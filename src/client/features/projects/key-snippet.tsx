import { Box, Text } from '@mantine/core';
import { KeyedSnippet } from '#client/components/display/keyed-snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { sampleSets } from '#shared/sample-sets.ts';

interface KeySnippetProps {
  projectId: number;
  collections: Collection[];
}

/** A search that works as pasted, on the first collection that the key in it may read. The key is fetched when it is copied. */
export function KeySnippet({ projectId, collections }: KeySnippetProps) {
  const active = collections.filter(({ isActive }) => isActive);
  const snippetKey = useSnippetKey({
    projectId,
    fits: (key) => active.some((collection) => mayCall(key, 'read', collection)),
  });
  const { keys, apiKey } = snippetKey;
  const collection = active.find((one) => apiKey === null || mayCall(apiKey, 'read', one));
  if (!keys || !collection) return null;
  const { method, path } = restCall('GET /api/collections/{name}/hybrid-search', collection);
  const url = `${window.location.origin}${path}?query=${encodeURIComponent(exampleQuery(collection))}`;
  return (
    <Box mt="lg">
      <KeyedSnippet
        title={apiKey ? `Search ${collection.name} with the key ${apiKey.name}` : `Search ${collection.name}`}
        snippetKey={snippetKey}
        command={(key) => curlCommand({ method, url, headers: { 'X-API-Key': key } })}
      />
      {apiKey === null && keys.length > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          No key that may only read is active here, and one that writes does not stand in code unless you
          choose it.
        </Text>
      )}
    </Box>
  );
}

/** One that finds something: a sample's own, elsewhere everything. */
function exampleQuery({ description }: Collection): string {
  return Object.values(sampleSets).find((sample) => sample.description === description)?.query ?? '*';
}

import { Stack, Text } from '@mantine/core';
import { KeyedSnippet } from '#client/components/display/keyed-snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';

/** How clicks become known. */
export function EventsSnippet({ collection }: { collection: Collection }) {
  const { method, path } = restCall('POST /api/collections/{name}/events', collection);
  const snippetKey = useSnippetKey({
    projectId: collection.projectId,
    fits: (key) => mayCall(key, 'read', collection),
  });
  const command = (key: string) =>
    curlCommand({
      method,
      url: `${window.location.origin}${path}`,
      headers: { 'X-API-Key': key },
      body: { type: 'click', query_id: 'FROM_THE_ANSWER', id: 'DOCUMENT_ID', position: 1 },
    });
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Searches are counted by themselves, once nobody has typed on for four seconds. Clicks and conversions
        are told by whoever shows the hits, with the query_id of the search's answer:
      </Text>
      <KeyedSnippet title="Tell of a click" snippetKey={snippetKey} command={command} />
    </Stack>
  );
}

import { Code, Group, Stack, Text } from '@mantine/core';
import { KeyChoice } from '#client/components/display/key-choice.tsx';
import { KeyedSnippet } from '#client/components/display/keyed-snippet.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';

/** What the collection is called over REST, and calls that run as they are pasted, where the project has a key that may only read. */
export function ApiPanel({ collection }: { collection: Collection }) {
  const { id, name } = collection;
  const { origin } = window.location;
  const snippetKey = useSnippetKey({
    projectId: collection.projectId,
    fits: (key) => mayCall(key, 'read', collection),
  });
  const { keys, apiKey, choose } = snippetKey;
  const search = restCall('POST /api/collections/{name}/hybrid-search', collection);
  const all = restCall('GET /api/collections/{name}/documents/export', collection);
  return (
    <Panel title="Over REST" action={<KeyChoice keys={keys} apiKey={apiKey} onChoose={choose} />}>
      <Stack gap="md">
        <Group gap="xl">
          <Named label="Name" value={name} />
          <Named label="Id, which stays when it is renamed" value={String(id)} />
        </Group>
        <KeyedSnippet
          title="Search"
          snippetKey={snippetKey}
          hasChoice={false}
          command={(key) =>
            curlCommand({
              method: search.method,
              url: `${origin}${search.path}`,
              headers: { 'X-API-Key': key },
              body: { query: 'something', per_page: 5 },
            })
          }
        />
        <KeyedSnippet
          title="Export"
          snippetKey={snippetKey}
          hasChoice={false}
          command={(key) =>
            curlCommand({ method: all.method, url: `${origin}${all.path}`, headers: { 'X-API-Key': key } })
          }
        />
      </Stack>
    </Panel>
  );
}

function Named({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
        <CopyButton value={value} label={`Copy ${label.split(',')[0]?.toLowerCase()}`} />
      </Group>
    </div>
  );
}

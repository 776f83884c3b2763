import { Code, Group, Stack, Text } from '@mantine/core';
import { Panel } from '#client/components/display/panel.tsx';
import { Snippet } from '#client/components/display/snippet.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';

/** What the collection is called over REST, and calls that run with a key. */
export function ApiPanel({ collection }: { collection: Collection }) {
  const { id, name } = collection;
  const { origin } = window.location;
  const key = { 'X-API-Key': 'YOUR_API_KEY' };
  const search = restCall('POST /api/collections/{name}/hybrid-search', collection);
  const all = restCall('GET /api/collections/{name}/documents/export', collection);
  return (
    <Panel title="Over REST">
      <Stack gap="md">
        <Group gap="xl">
          <Named label="Name" value={name} />
          <Named label="Id, which stays when it is renamed" value={String(id)} />
        </Group>
        <Snippet
          title="Search"
          code={curlCommand({
            method: search.method,
            url: `${origin}${search.path}`,
            headers: key,
            body: { query: 'something', per_page: 5 },
          })}
        />
        <Snippet
          title="Export"
          code={curlCommand({ method: all.method, url: `${origin}${all.path}`, headers: key })}
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

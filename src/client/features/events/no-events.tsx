import { Stack } from '@mantine/core';
import { broadcastIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { Snippet } from '#client/components/display/snippet.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { trpc } from '#client/lib/trpc.ts';
import { restCall } from '#shared/rest-addresses.ts';

/** Nobody has asked anything in the last days: a line that does, with the reader's own values. */
export function NoEvents({ workspaceId }: { workspaceId: number }) {
  const { data = [] } = trpc.collections.list.useQuery({ workspaceId });
  const collection = data.find(({ isActive }) => isActive);
  return (
    <Stack gap="md">
      <EmptyState
        icon={broadcastIcon}
        title="No events yet"
        description={
          collection
            ? 'Requests to this workspace show here within a second. Search something, or send a request with an API key.'
            : 'Requests to this workspace show here within a second. First it needs a collection to search.'
        }
      >
        {collection ? (
          <ButtonLink to="/search" search={{ collection: collection.id }}>
            Search something
          </ButtonLink>
        ) : (
          <ButtonLink to="/collections">Go to Collections</ButtonLink>
        )}
      </EmptyState>
      {collection && <Snippet title="Send a request" code={searchLine(collection)} />}
    </Stack>
  );
}

function searchLine(collection: { name: string }): string {
  const { method, path } = restCall('GET /api/collections/{name}/hybrid-search', collection);
  const url = `${window.location.origin}${path}?query=hello`;
  return curlCommand({ method, url, headers: { 'X-API-Key': 'YOUR_API_KEY' } });
}

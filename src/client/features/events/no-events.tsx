import { Stack } from '@mantine/core';
import { broadcastIcon } from '#client/components/display/icon-shapes.gen.ts';
import { KeyedSnippet } from '#client/components/display/keyed-snippet.tsx';
import { ButtonLink } from '#client/components/display/links.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
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
      {collection && <SearchLine collection={collection} />}
    </Stack>
  );
}

function SearchLine({ collection }: { collection: Collection }) {
  const snippetKey = useSnippetKey({
    projectId: collection.projectId,
    fits: (key) => mayCall(key, 'read', collection),
  });
  const { method, path } = restCall('GET /api/collections/{name}/hybrid-search', collection);
  const url = `${window.location.origin}${path}?query=hello`;
  return (
    <KeyedSnippet
      title="Send a request"
      snippetKey={snippetKey}
      command={(key) => curlCommand({ method, url, headers: { 'X-API-Key': key } })}
    />
  );
}

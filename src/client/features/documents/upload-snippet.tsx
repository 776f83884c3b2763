import { KeyedSnippet } from '#client/components/display/keyed-snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import { mayCall } from '#client/lib/snippet-key.ts';
import { useSnippetKey } from '#client/lib/use-snippet-key.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';

/** It needs a key that writes, which stands in it only when it is chosen. */
export function UploadSnippet({ collection }: { collection: Collection }) {
  const { method, path } = restCall('POST /api/collections/{name}/documents/import', collection);
  const snippetKey = useSnippetKey({
    projectId: collection.projectId,
    fits: (key) => mayCall(key, 'write', collection),
  });
  const command = (key: string) =>
    curlCommand({
      method,
      url: `${window.location.origin}${path}`,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' },
      file: 'documents.ndjson',
    });
  return <KeyedSnippet title="Or from a terminal" snippetKey={snippetKey} command={command} />;
}

import { Snippet } from '#client/components/display/snippet.tsx';
import { curlCommand } from '#client/lib/curl-command.ts';
import type { Collection } from '#shared/collections.ts';
import { restCall } from '#shared/rest-addresses.ts';

export function UploadSnippet({ collection }: { collection: Collection }) {
  const { method, path } = restCall('POST /api/collections/{name}/documents/import', collection);
  const code = curlCommand({
    method,
    url: `${window.location.origin}${path}`,
    headers: { 'X-API-Key': 'YOUR_API_KEY', 'Content-Type': 'application/x-ndjson' },
    file: 'documents.ndjson',
  });
  return <Snippet title="Or from a terminal" code={code} />;
}

import { curlCommand } from '#client/lib/curl-command.ts';
import { isRecord } from '#client/lib/json.ts';
import type { RequestDetail } from '#shared/requests.ts';
import { restCall } from '#shared/rest-addresses.ts';

const addresses = {
  'search.keyword': 'POST /api/collections/{name}/search',
  'search.vector': 'POST /api/collections/{name}/vector-search',
  'search.hybrid': 'POST /api/collections/{name}/hybrid-search',
} as const;

/** A search as a line for the terminal, with this key; null: it is none, or not all of it is kept. */
export function curlOf({ operation, input, replay }: RequestDetail, key: string): string | null {
  if (replay !== 'yes' || !isRecord(input)) return null;
  const headers = { 'X-API-Key': key };
  const { origin } = window.location;
  if (operation === 'search.multi') {
    const { method, path } = restCall('POST /api/multi-search', {});
    return curlCommand({ method, url: `${origin}${path}`, headers, body: input });
  }
  const { collection, ...body } = input;
  const isSearch =
    operation in addresses && (typeof collection === 'string' || typeof collection === 'number');
  if (!isSearch) return null;
  const { method, path } = restCall(addresses[operation as keyof typeof addresses], { name: collection });
  return curlCommand({ method, url: `${origin}${path}`, headers, body });
}

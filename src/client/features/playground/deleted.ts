import { isRecord, parseJson } from '#client/lib/json.ts';
import { isSuccess } from './send-request.ts';
import type { Answered } from './use-sender.ts';

/** Documents and rules that requests of this page have deleted and not made again since: their paths, decoded. */
export type Deleted = readonly string[];

/** After one more request was answered. */
export function nextDeleted(deleted: Deleted, { endpoint, request, response }: Answered): Deleted {
  if (!isSuccess(response.status)) return deleted;
  const path = decoded(request.path);
  const others = deleted.filter((one) => one !== path);
  // A collection is gone from the selector too, and comes back to it.
  if (request.method === 'DELETE') return endpoint.tab === 'Collections' ? deleted : [...others, path];
  if (request.method !== 'POST') return others;
  const list = path.replace(/\/import$/, '');
  const made = [request.body, response.data].flatMap((text) => (text === null ? [] : idsIn(parseJson(text))));
  return others.filter((one) => !made.some((id) => one === `${list}/${id}`));
}

/** The id of what a path is about, if that was deleted. */
export function deletedId(deleted: Deleted, path: string): string | null {
  const asked = decoded(path);
  const [, id = null] = /^\/api\/collections\/[^/]+\/[^/]+\/(.+)$/.exec(asked) ?? [];
  return deleted.includes(asked) ? id : null;
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return isRecord(value) && typeof value['id'] === 'string' ? [value['id']] : [];
}

/** Without its query. */
function decoded(path: string): string {
  const [address = ''] = path.split('?', 1);
  try {
    return decodeURIComponent(address);
  } catch {
    return address; // Nothing that could be decoded: the server refuses it.
  }
}

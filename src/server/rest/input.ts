import { AppError, badRequest } from '#server/errors.ts';
import { checkBodyHeaders, readJson } from '#server/wire/body.ts';
import { rawQuery } from '#server/wire/raw-query.ts';
import { limits } from '#shared/limits.ts';
import type { RestCall } from './rest-call.ts';
import { type RestRoute, restRoutes } from './routes.ts';

/** Parameters that may be repeated in a query string, because they are lists. */
const lists = new Set(['query_by', 'facet_by', 'include_fields', 'exclude_fields', 'highlight_fields']);

type Fields = Record<string, unknown>;

/** The procedure's input. @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
export async function readInput(call: RestCall): Promise<Fields> {
  const { body } = restRoutes[call.match.name];
  if (body === undefined) return readParameters(call);
  // Public operations accept 64 KB only.
  const isPublic = call.match.endpoint.access === 'public';
  const bytesMax = isPublic ? limits.anonymousBodyBytesMax : limits.jsonBodyBytesMax;
  checkBodyHeaders(call.request.headers, 'json', bytesMax);
  const sent = asFields(body, await readJson(call.request, bytesMax));
  return { ...sent, ...readParameters(call, sent) };
}

/** The part of the input that path and query give; `sent` is what the body gave. @throws AppError BAD_REQUEST */
export function readParameters({ match, request }: RestCall, sent: Fields = {}): Fields {
  const route: RestRoute = restRoutes[match.name];
  const query = readQuery(new URLSearchParams(rawQuery(request.url)));
  if (match.endpoint.method !== 'GET') assertKnown(query, route.query ?? []);
  const fields: Fields = query;
  for (const [parameter, field] of Object.entries(route.path ?? {})) {
    if (field in query || field in sent) throw badRequest(field, 'is given by the address and cannot be set');
    fields[field] = match.parameters[parameter];
  }
  return fields;
}

function readQuery(query: URLSearchParams): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of query) {
    if (value.includes('\u0000') || name.includes('\u0000'))
      throw badRequest(name, 'must not contain U+0000');
    const given = fields[name];
    if (given === undefined) fields[name] = value;
    else if (!lists.has(name)) throw badRequest(name, 'is given more than once');
    else if (Array.isArray(given)) given.push(value);
    else fields[name] = [given, value];
  }
  return fields;
}

function assertKnown(query: Fields, known: readonly string[]): void {
  for (const name of Object.keys(query)) {
    if (!known.includes(name)) throw badRequest(name, 'is not a query parameter of this call');
  }
}

function asFields(mapping: 'fields' | { as: string }, body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('BAD_REQUEST', 'The body must be a JSON object', {
      details: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  return mapping === 'fields' ? { ...body } : { [mapping.as]: body };
}

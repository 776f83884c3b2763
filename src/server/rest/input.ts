import { AppError, badRequest } from '#server/errors.ts';
import type { HttpMethod } from '#shared/endpoints.ts';

/** How path, query and body become a procedure's input. What the values may be is the procedure's schema's business. */
export interface InputMapping {
  /** What the path's parameters are called in the input. */
  path?: Record<string, string>;
  /** Query parameters it takes; a GET takes all, for the schema refuses those it does not know. */
  query?: readonly string[];
  /** The body's fields become the input's; or the whole body becomes one field of it. */
  body?: 'fields' | { as: string };
  /** Added to the input, whatever the caller sends. */
  fixed?: Record<string, unknown>;
}

/** Parameters that may be repeated in a query string, because they are lists. */
const lists = new Set(['query_by', 'facet_by', 'include_fields', 'exclude_fields', 'highlight_fields']);

type Fields = Record<string, unknown>;

/** @throws AppError BAD_REQUEST */
export function readQuery(query: URLSearchParams): Fields {
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

/** @throws AppError BAD_REQUEST */
export function buildInput(
  mapping: InputMapping,
  request: { method: HttpMethod; parameters: Record<string, string>; query: Fields; body: unknown },
): Fields {
  const path: Fields = {};
  for (const [parameter, field] of Object.entries(mapping.path ?? {}))
    path[field] = request.parameters[parameter];
  if (request.method !== 'GET') assertKnown(request.query, mapping.query ?? []);
  const sent = { ...request.query, ...readBody(mapping.body, request.body) };
  for (const field of [...Object.keys(path), ...Object.keys(mapping.fixed ?? {})]) {
    if (field in sent) throw badRequest(field, 'is given by the address and cannot be set');
  }
  return { ...sent, ...path, ...mapping.fixed };
}

function assertKnown(query: Fields, known: readonly string[]): void {
  for (const name of Object.keys(query)) {
    if (!known.includes(name)) throw badRequest(name, 'is not a query parameter of this call');
  }
}

function readBody(mapping: InputMapping['body'], body: unknown): Fields {
  if (mapping === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('BAD_REQUEST', 'The body must be a JSON object', {
      details: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  return mapping === 'fields' ? { ...body } : { [mapping.as]: body };
}

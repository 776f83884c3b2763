import { bodyReading } from '#server/admission/request-memory.ts';
import { AppError, badRequest } from '#server/errors.ts';
import { checkBodyHeaders, readJson } from '#server/wire/body.ts';
import { rawQuery } from '#server/wire/raw-query.ts';
import type { Operation } from './catalogue.ts';
import { isList } from './input-schema.ts';
import type { RestCall } from './rest-call.ts';

type Fields = Record<string, unknown>;

/**
 * The procedure's input, of path, query and body. What the values may be is said by the procedure's schema.
 * @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, UNAVAILABLE (too many large bodies at once)
 */
export async function readInput(call: RestCall): Promise<Fields> {
  const { operation, request, ctx } = call;
  const { body } = operation;
  if (body === 'none') return readParameters(call);
  checkBodyHeaders(request.headers, operation.bodyLimits);
  const sent = asFields(
    body,
    await readJson(request, operation.bodyLimits, bodyReading(ctx.held, ctx.requester)),
  );
  return { ...sent, ...readParameters(call, sent) };
}

/** The part of the input that path and query give; `sent` is what the body gave. @throws AppError BAD_REQUEST */
export function readParameters({ operation, fields, request }: RestCall, sent: Fields = {}): Fields {
  const query = readQuery(operation, rawQuery(request.url));
  for (const field of Object.keys(fields)) {
    if (field in query || field in sent) throw badRequest(field, 'is given by the address and cannot be set');
  }
  if (operation.headers.length > 0) Object.assign(query, readHeaders(operation, request.headers));
  return Object.assign(query, fields);
}

function readHeaders({ headers }: Operation, sent: Headers): Fields {
  return Object.fromEntries(
    headers.flatMap((field) => {
      const value = sent.get(headerOf(field));
      return value === null ? [] : [[field, value]];
    }),
  );
}

/** `if_match` is `If-Match`. */
export function headerOf(field: string): string {
  return field.replaceAll(
    /(^|_)([a-z])/g,
    (_, gap: string, letter: string) => `${gap && '-'}${letter.toUpperCase()}`,
  );
}

function readQuery(operation: Operation, text: string): Fields {
  const fields: Fields = Object.create(null);
  if (text === '') return fields;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes('\u0000') || name.includes('\u0000'))
      throw badRequest(name, 'must not contain U+0000');
    if (operation.query !== 'all' && !operation.query.includes(name)) {
      throw badRequest(name, 'is not a query parameter of this call');
    }
    const given = fields[name];
    if (given === undefined) fields[name] = value;
    else if (!isList(operation, name)) throw badRequest(name, 'is given more than once');
    else if (Array.isArray(given)) given.push(value);
    else fields[name] = [given, value];
  }
  return fields;
}

function asFields(mapping: 'fields' | { as: string }, body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('BAD_REQUEST', 'The body must be a JSON object', {
      details: [{ path: '', message: 'must be a JSON object' }],
    });
  }
  return mapping === 'fields' ? { ...body } : { [mapping.as]: body };
}

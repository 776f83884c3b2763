import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations, type Target } from '#server/testing/isolation/operations.ts';
import { restRoutes } from '#server/testing/isolation/transports.ts';
import { unknownIds } from '#server/testing/isolation/world.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { searchParameters } from '#shared/search-parameters.ts';
import { catalogue } from './catalogue.ts';
import type { JsonSchema } from './json-schema.ts';
import { type DescribedOperation, namedSchemas, openApiDocument } from './openapi.ts';
import { describeOutput } from './output-schema.ts';

const document = openApiDocument(catalogue);
const described = (path: string, method: string) => document.paths[path]?.[method.toLowerCase()];

test('it is an OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test('it bears the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(document.info['version']).toBe(version);
});

describe('every operation is described', () => {
  test.each(catalogue.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    (_, { id, access, method, path }) => {
      const found = described(path, method);
      expect(found?.operationId).toBe(id);
      const keys = found?.security.some((one) => 'apiKey' in one) ?? false;
      expect(keys).toBe(access === 'read' || access === 'write');
      const statuses = Object.keys(found?.responses ?? {}).map(Number);
      expect(statuses.some((status) => status < 300)).toBe(true);
      expect(statuses).toContain(errorTable.UNAVAILABLE.status);
      const inPath = found?.parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
    },
  );
});

test('every success has a shape', () => {
  const shapeless = catalogue.filter(({ output, stream }) => output === null && stream !== 'export');
  // Its line in the router lacks `output`: see docs/adding.md.
  expect(shapeless.map(({ id }) => id)).toEqual([]);
  for (const [name, schema] of Object.entries(namedSchemas(catalogue)))
    expect(Object.keys(schema), name).not.toEqual([]);
});

test('a schema says nothing that holds for everything, but where anything may stand', () => {
  const open = Object.entries(namedSchemas(catalogue)).flatMap(([name, schema]) => emptyIn(schema, name));
  expect(open.sort()).toEqual(anythingMayStand);
});

/** A document's fields, what a change changed, and what of a search is answered as it was sent. */
const anythingMayStand = [
  'AuditEntry.after.additionalProperties',
  'AuditEntry.before.additionalProperties',
  'Document.additionalProperties',
  'EffectiveRequest.additionalProperties',
];

/** Where schemas are empty, by their paths. */
function emptyIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (!Array.isArray(schema) && Object.keys(schema).length === 0) return [path];
  return Object.entries(schema).flatMap(([name, part]) =>
    emptyIn(part, /^(properties|anyOf|items|\d+)$/.test(name) ? path : `${path}.${name}`),
  );
}

test('a body says how large it may be, and all limits are told', () => {
  expect(described('/api/collections', 'POST')?.requestBody?.description).toBe(
    'At most 2 MB with 20,000 values, unpacked',
  );
  const told = Object.entries(document['x-limits']).map(([name, { value }]) => [name, value]);
  expect(Object.fromEntries(told)).toEqual(limits);
  expect(document['x-limits']['documentBytesMax']?.description).toBe('A document, as JSON');
});

test('lists with pages tell their length', () => {
  const lists = catalogue.filter(({ answer }) => answer === 'page').map(({ path }) => path);
  const known = ['/api/workspaces', '/api/projects', '/api/api-keys', '/api/collections'];
  expect(lists).toEqual(expect.arrayContaining(known));
  for (const path of lists) {
    const found = described(path, 'GET');
    expect(found?.responses[200]).toHaveProperty('headers.X-Total-Count');
    expect(found?.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['page', 'per_page']));
  }
});

/** Largest parts of a list, by what they are called. */
const boundsOfLists = ['per_page', 'limit', 'days', 'k'];

/** As long as there are such things: neither what one of them is made of, nor what says itself how long it is. */
function isListOfThings({ type, items, maxItems }: JsonSchema): boolean {
  const isOfThings = typeof items === 'object' && ('$ref' in items || 'properties' in items);
  return type === 'array' && isOfThings && maxItems === undefined;
}

test('every list that is answered is asked for in parts, and each part has a bound', () => {
  const answersList = ({ output }: (typeof catalogue)[number]) => {
    if (output === null) return false;
    const { schema, named } = describeOutput(output);
    const own = schema.$ref ? named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : schema;
    const parts = [own, ...Object.values(own?.properties ?? {})];
    return parts.some((part) => typeof part === 'object' && isListOfThings(part));
  };
  const lists = catalogue.filter((operation) => operation.method === 'GET' && answersList(operation));
  expect(lists.length).toBeGreaterThan(15);
  const boundless = lists.filter(({ path }) => {
    const parameters = described(path, 'GET')?.parameters ?? [];
    return !parameters.some(
      ({ name, schema }) => boundsOfLists.includes(name) && schema.maximum !== undefined,
    );
  });
  expect(boundless.map(({ id }) => id)).toEqual([]);
});

test('every answer tells what is left of the rate, and a refusal for now when to come back', () => {
  for (const { path, method } of catalogue) {
    const successes = Object.entries(described(path, method)?.responses ?? {}).filter(
      ([status]) => +status < 300,
    );
    for (const [, answer] of successes) expect(answer).toHaveProperty('headers.RateLimit');
  }
  const { responses } = document.components as { responses: Record<string, { headers: object }> };
  const named = (code: string) => Object.keys(responses[code]?.headers ?? {});
  const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
  expect(named('TOO_MANY_REQUESTS')).toEqual([...always, 'Retry-After']);
  expect(named('UNAUTHORIZED')).toEqual([...always, 'WWW-Authenticate']);
  expect(named('NOT_FOUND')).toEqual(always);
});

/** The requests of the isolation test are known to be right: each must be one that the document describes. */
describe('what the server takes is what is described', () => {
  const target: Target = {
    ...unknownIds,
    documentId: '1',
    email: 'ada@example.org',
    password: 'analytical engine',
  };

  test.each(restRoutes.map((route) => [route.title, route] as const))('%s', (title, route) => {
    const [, method = '', template = ''] = title.split(' ');
    const found = described(template, method);
    const request = route.request(operations[route.procedure.name], target, 1);
    const { pathname, searchParams } = new URL(request.path, 'http://localhost');
    const segments = pathname.split('/');
    for (const [index, own] of template.split('/').entries()) {
      if (own.startsWith('{'))
        check(schemaOf(found, own.slice(1, -1)), decodeURIComponent(segments[index] ?? ''));
      else expect(segments[index]).toBe(own);
    }
    for (const [name, value] of searchParams) check(schemaOf(found, name), value);
    for (const { name, required, in: place } of found?.parameters ?? []) {
      if (required && place === 'query') expect([...searchParams.keys()]).toContain(name);
    }
    if (request.body === undefined) expect(found?.requestBody).toBeUndefined();
    else check(found?.requestBody?.content['application/json']?.schema, request.body);
  });

  const examples = catalogue.filter(
    ({ body, example }) => body !== 'none' || Object.keys(example).length > 0,
  );
  test.each(examples)('the example of $id, which each operation with a body has', (operation) => {
    const { input, example, path, method } = operation;
    expect(input?.safeParse(example)).toMatchObject({ success: true });
    const found = described(path, method);
    const shown = (found?.parameters ?? []).filter((parameter) => parameter.example !== undefined);
    for (const { schema, example: value } of shown) check(schema, String(value));
    const { schema, example: body } = found?.requestBody?.content['application/json'] ?? {};
    if (operation.body !== 'none') check(schema, body);
    // What the address gives, and the body: no field of the example is lost.
    const fields = [...shown.map(({ name }) => name), ...Object.keys(Object(body))];
    expect(fields.length).toBeGreaterThanOrEqual(
      operation.body === 'fields' ? Object.keys(example).length : 1,
    );
  });

  test('a search says of each parameter what it means', () => {
    const body = described('/api/collections/{name}/search', 'POST')?.requestBody;
    const properties = body?.content['application/json']?.schema.properties ?? {};
    for (const name of Object.keys(searchParameters.shape))
      expect(properties[name], name).toMatchObject({ description: expect.stringMatching(/\w{2}/) });
    expect(properties['alpha']).toMatchObject({ type: 'number', default: 0.5, minimum: 0, maximum: 1 });
  });

  test('the searches show their words, and a collection of the demo', () => {
    const found = described('/api/collections/{name}/search', 'GET');
    const shown = Object.fromEntries((found?.parameters ?? []).map(({ name, example }) => [name, example]));
    expect(shown).toMatchObject({ name: 'films', query: 'robots learning to love' });
    expect(shown['sort_by']).toBeUndefined();
  });

  function schemaOf(found: DescribedOperation | undefined, name: string): JsonSchema | undefined {
    return found?.parameters.find((parameter) => parameter.name === name)?.schema;
  }

  const ofValues = new Ajv2020({ strictTypes: false, validateFormats: false });
  const ofTexts = new Ajv2020({ coerceTypes: true, strictTypes: false, validateFormats: false });

  /** Parameters are text, so types are read from it. */
  function check(schema: JsonSchema | undefined, value: unknown): void {
    if (schema === undefined) throw new Error('this is not described');
    const isValid = (typeof value === 'string' ? ofTexts : ofValues).compile(schema);
    expect({ value, isValid: isValid(value), errors: isValid.errors }).toEqual({
      value,
      isValid: true,
      errors: null,
    });
  }
});

describe('over HTTP', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  test('anybody may read it, from any page', async () => {
    const answer = await kit.app.request('/api/openapi.json', {
      headers: { origin: 'https://docs.example' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('it can only be read', async () => {
    const answer = await kit.app.request('/api/openapi.json', { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const preflight = await kit.app.request('/api/openapi.json', { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
  });
});

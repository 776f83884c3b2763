import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { documentationOf } from '#shared/documented-as.ts';
import { catalogue } from './catalogue.ts';
import { inputSchema } from './input-schema.ts';
import { combinedRules, type JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi.ts';

/** The API's description is where it is documented what input may be: each value by itself, and values together. */
const document = openApiDocument(catalogue);

test('each value that may be sent has a type, and a text or list an end or a form', () => {
  const loose = catalogue.flatMap((operation) => looseIn(inputSchema(operation), operation.id));
  expect([...new Set(loose)].sort()).toEqual(free);
});

/** A document has the fields that its writer gives it; rows of an upload are bounded by its bytes and each by itself. */
const free = [
  'documents.import.rows',
  'documents.merge.document.*',
  'documents.mergeMany.document.*',
  'documents.replace.document.*',
  'documents.write.document.*',
  'judgements.import.rows',
  'synonyms.import.rows',
];

/** Where anything is taken, or as much as fits into a body, by the paths of schemas. */
function looseIn(schema: JsonSchema | boolean | undefined, path: string): string[] {
  if (typeof schema !== 'object') return [path];
  const { type, properties = {}, anyOf = [], items } = schema;
  const below = [
    ...Object.entries(properties).flatMap(([name, part]) => looseIn(part as JsonSchema, `${path}.${name}`)),
    ...anyOf.flatMap((part) => looseIn(part as JsonSchema, path)),
  ];
  if (anyOf.length > 0 || schema.enum || schema.const !== undefined || type === 'null') return below;
  if (type === 'string') return (schema.maxLength ?? schema.pattern ?? schema.format) ? below : [path];
  if (type === 'array')
    return [...(schema.maxItems === undefined ? [path] : []), ...looseIn(items as JsonSchema, `${path}[]`)];
  if (type === 'object') return schema.additionalProperties === false ? below : [...below, `${path}.*`];
  return type === undefined ? [...below, path] : below;
}

describe('what is asked of several values together', () => {
  const ruledBy = (rulesOf: (schema: z.core.$ZodType) => Set<string>) =>
    catalogue.flatMap((operation) => {
      const rules = operation.input ? [...rulesOf(operation.input)] : [];
      return rules.length > 0 ? [[operation.id, operation, rules] as const] : [];
    });
  const described = ruledBy((schema) => rulesIn(schema, documentationOf));

  test('is asked in several operations', () => {
    expect(described.map(([id]) => id)).toEqual(expect.arrayContaining(['auth.register', 'search.multi']));
  });

  test.each(described)('is said in the description of %s', (_, { method, path }, rules) => {
    const text = JSON.stringify(document.paths[path]?.[method.toLowerCase()]);
    for (const rule of rules) expect(text).toContain(JSON.stringify(rule).slice(1, -1));
  });

  const twice = [
    { id: 'a', position: 1 },
    { id: 'a', position: 2 },
  ];
  /** What breaks a rule, in place of what an operation's example has. */
  const broken: Record<string, Record<string, unknown>> = {
    "confirmPassword: Passwords don't match": { confirmPassword: 'another one' },
    'synonyms: must be at least two words, or one and a root': { synonyms: ['one'], root: null },
    'until: must be after "from"': { from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    'must name each document once': { includes: twice },
    'field names must differ': {},
    'needs either "collection" or "collections"': { collection: 'films', collections: ['films'] },
    'needs either a projectId or a workspaceId': { projectId: 1, workspaceId: 1 },
    'position: is required for a click: the place of the hit in the list, from 1': {
      type: 'click',
      position: undefined,
    },
    'threshold: is more than the metric can be': { metric: 'cpu', threshold: 101 },
  };

  /** Rules are drafted as they are saved. */
  const draftOf = (rule: string) => {
    const synonym = { id: 'a', synonyms: ['one', 'two'], root: null, ...broken[rule] };
    const override = { id: 'a', rule: { query: 'one', match: 'exact' }, ...broken[rule] };
    const draft = rule.startsWith('synonyms')
      ? { synonyms: { put: [synonym] } }
      : { overrides: { put: [override] } };
    return { draft };
  };

  test.each(ruledBy((schema) => rulesIn(schema)))(
    'is refused where it is not so: %s',
    (id, { input, example }, rules) => {
      for (const rule of rules) {
        const given = id === 'judgements.compare' ? draftOf(rule) : broken[rule];
        const issues = input?.safeParse({ ...example, ...given }).error?.issues ?? [];
        const told = issues.flatMap(({ path, message }) => [message, `${String(path.at(-1))}: ${message}`]);
        expect(told, rule).toContain(rule);
      }
    },
  );
});

/** Of a schema and all that it is made of, or of what is `shown` in the place of a part. */
function rulesIn(schema: z.core.$ZodType, shown?: typeof documentationOf): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if ('_zod' in part) {
      for (const rule of combinedRules(part as z.core.$ZodTypes)) found.add(rule);
      visit((part as z.core.$ZodTypes)._zod.def);
      visit(shown?.(part as z.core.$ZodTypes, 'input'));
    } else if (Object.getPrototypeOf(part) === Object.prototype || Array.isArray(part)) {
      for (const value of Object.values(part)) visit(value);
    }
  };
  visit(schema);
  return found;
}

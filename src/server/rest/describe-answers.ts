import { answers } from './answer.ts';
import type { Operation } from './catalogue.ts';
import { type DescribedAnswer, errorReference, errorsOf } from './describe-errors.ts';
import { withHeaders } from './describe-headers.ts';
import { takesKey } from './import/upload-types.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeOutput } from './output-schema.ts';

export type DescribedAnswers = Record<string, DescribedAnswer | { $ref: string }>;

/** All that an operation can answer, by status. */
export function describeAnswers(operation: Operation): DescribedAnswers {
  return { ...errorsOf(operation), ...successesOf(operation) };
}

function successesOf(operation: Operation): Record<string, DescribedAnswer> {
  const { answer, stream, output } = operation;
  const schema = output === null ? {} : describeOutput(output).schema;
  if (stream === 'export') return { 200: exported };
  if (stream === 'import') return importAnswers(operation, schema);
  if (answer === 'events') return { 200: answerOrEvents(schema) };
  if (answer === 'page') return { 200: json('One page of the list', schema, withHeaders('X-Total-Count')) };
  if (answer === 'user') return { 200: json('Who it is', schema), 401: nobody };
  const { statuses } = answers[answer];
  const headers = operation.isTagged ? withHeaders('ETag') : withHeaders();
  return Object.fromEntries(
    statuses.map((status) => [status, json(meanings[status] ?? '', schema, headers)]),
  );
}

const meanings: Record<number, string> = { 200: 'Done', 201: 'Created' };

function json(description: string, schema: JsonSchema, headers = withHeaders()): DescribedAnswer {
  return { description, headers, content: { 'application/json': { schema } } };
}

/** Of an import that takes no part of it the answer is the same, or it is an error like any other. */
function importAnswers(operation: Operation, summary: JsonSchema): Record<string, DescribedAnswer> {
  const headers = takesKey(operation) ? withHeaders('X-Import-Id') : withHeaders();
  const orError = { anyOf: [summary, errorReference] };
  const later = { ...headers, ...withHeaders('Retry-After') };
  return {
    200: json('All rows are in', summary, headers),
    207: json('Some rows failed; each has its result', summary, headers),
    400: json('No row is in; each has its result, or the request itself was wrong', orError, headers),
    503: json('No row is in, and a later try may do better', orError, later),
  };
}

const exported: DescribedAnswer = {
  description: 'One document a line',
  headers: withHeaders(),
  content: { 'application/x-ndjson': { schema: { type: 'string' } } },
};

function answerOrEvents(schema: JsonSchema): DescribedAnswer {
  return {
    description:
      'The answer; with `Accept: text/event-stream` as events: `sources`, then `delta`s, which together are the answer, `citation`s, and `done` with all of it, or `error`',
    headers: withHeaders(),
    content: { 'application/json': { schema }, 'text/event-stream': { schema: { type: 'string' } } },
  };
}

const nobody = json(
  'Nobody is signed in, or the credentials are not good',
  {
    anyOf: [
      {
        type: 'object',
        required: ['user', 'message'],
        properties: { user: { type: 'null' }, message: { type: 'string' } },
      },
      errorReference,
    ],
  },
  withHeaders('WWW-Authenticate'),
);

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '#server/rest/catalogue.ts';
import { describeAnswers } from '#server/rest/describe-answers.ts';
import {
  type DescribedAnswer,
  errorReference,
  errorResponses,
  errorSchema,
} from '#server/rest/describe-errors.ts';
import { findOperation } from '#server/rest/match.ts';
import { namedSchemas } from '#server/rest/openapi.ts';
import { closed } from './closed.ts';

interface Asked {
  method: string;
  /** With its query. */
  path: string;
}

interface Answered {
  status: number;
  headers: Headers;
  /** The value that JSON says, or text. */
  body: unknown;
}

/**
 * Holds an answer of the REST API against the API's description: its status, type, headers and shape. Each operation's validators are
 * made when they are first needed, since a test file calls a few of them.
 * @throws Error that says where the answer is not as described
 */
export function assertAsDescribed({ method, path }: Asked, answer: Answered): void {
  const [pathname = ''] = path.split('?', 1);
  if (!pathname.startsWith('/api/') || undescribed.has(pathname)) return;
  const operation = findOperation(method, pathname);
  const fault = operation ? faultOf(operation, method, answer) : faultOfRefusal(method, answer);
  if (fault === null) return;
  const body = JSON.stringify(answer.body)?.slice(0, 2_000);
  throw new Error(
    `${method} ${path} answered ${answer.status}, which is not as described: ${fault}\n${body}`,
  );
}

const undescribed: ReadonlySet<string> = new Set(['/api/openapi.json', '/api/docs']);

function faultOf(operation: Operation, method: string, { status, headers, body }: Answered): string | null {
  const described = answerOf(operation, status);
  if (described === undefined) return `there is no status ${status}`;
  if (!headers.has('x-request-id')) return 'X-Request-Id is missing';
  if (status === 429 && !headers.has('retry-after')) return 'Retry-After is missing';
  if (status === 200 && operation.answer === 'page' && !/^\d+\+?$/.test(headers.get('x-total-count') ?? ''))
    return 'X-Total-Count is missing';
  const type = typeOf(headers);
  if (!(type in described.content)) return `there is no content of the type ${type}`;
  if (method === 'HEAD' || type !== 'application/json') return null;
  return faultIn(validatorOf(operation, status, described), body);
}

/** There is no such path or method. */
function faultOfRefusal(method: string, { status, headers, body }: Answered): string | null {
  if (method === 'HEAD' || status < 400) return null;
  return typeOf(headers) === 'application/json' ? faultIn(isError, body) : 'an error is JSON';
}

function faultIn(isValid: ValidateFunction, body: unknown): string | null {
  if (isValid(body)) return null;
  const faults = (isValid.errors ?? []).slice(0, 8);
  return faults
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

const typeOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';

const errors = errorResponses();

function answerOf(operation: Operation, status: number): DescribedAnswer | undefined {
  const answer = describeAnswers(operation)[status];
  if (answer === undefined || 'content' in answer) return answer;
  return errors[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)];
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isError = ajv.compile({
  ...closed(errorReference),
  components: { schemas: { Error: closed(errorSchema) } },
});
const validators = new WeakMap<Operation, Map<number, ValidateFunction>>();

function validatorOf(operation: Operation, status: number, { content }: DescribedAnswer): ValidateFunction {
  const schema = content['application/json']?.schema ?? {};
  if (schema === errorReference) return isError;
  const known = validators.get(operation) ?? new Map<number, ValidateFunction>();
  validators.set(operation, known);
  const made = known.get(status) ?? compile(schema, operation);
  known.set(status, made);
  return made;
}

function compile(schema: object, operation: Operation): ValidateFunction {
  return ajv.compile({ ...closed(schema), components: { schemas: closed(namedSchemas([operation])) } });
}

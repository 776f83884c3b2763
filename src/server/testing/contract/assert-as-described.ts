import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { referencePath } from '#server/http/console/reference-page.ts';
import { securityHeaders } from '#server/http/security-headers.ts';
import type { Operation } from '#server/rest/catalogue.ts';
import { type DescribedAnswers, describeAnswers } from '#server/rest/describe-answers.ts';
import {
  type DescribedAnswer,
  errorReference,
  errorResponses,
  errorSchema,
} from '#server/rest/describe-errors.ts';
import { findOperation } from '#server/rest/match.ts';
import { namedSchemas, openApiPath } from '#server/rest/openapi.ts';
import { corsHeaders } from '#server/wire/cors.ts';
import { closed } from './closed.ts';

export interface Asked {
  method: string;
  /** With its query. */
  path: string;
}

interface Head {
  status: number;
  headers: Headers;
}

/** `body`: the value that JSON says, or text. */
type Answered = Head & { body: unknown };

/**
 * Holds an answer of the REST API against the API's description: its status, type, headers and shape. Each operation's validators are
 * made when they are first needed, since a test file calls a few of them.
 * @throws Error that says where the answer is not as described
 */
export function assertAsDescribed(asked: Asked, answer: Answered): void {
  assertHead(asked, answer);
  assertBody(asked, answer);
}

/** The same of what is known before the body is read. @throws Error */
export function assertHead({ method, path }: Asked, head: Head): void {
  const operation = describedAt(method, path);
  if (operation === undefined) return;
  throwIf(operation ? faultOfHead(operation, head) : faultOfRefusal(method, head), { method, path }, head);
}

/** The same of the body, whose answer's head is as described. @throws Error */
export function assertBody({ method, path }: Asked, answer: Answered): void {
  const operation = describedAt(method, path);
  if (operation === undefined || method === 'HEAD' || typeOf(answer.headers) !== 'application/json') return;
  const { status, body } = answer;
  const isValid = operation ? validatorOf(operation, status) : status < 400 ? null : isError;
  const fault = isValid && faultIn(isValid, body);
  throwIf(fault, { method, path }, { status, shown: JSON.stringify(body)?.slice(0, 2_000) });
}

function throwIf(
  fault: string | null,
  { method, path }: Asked,
  answer: { status: number; shown?: string },
): void {
  if (fault === null) return;
  const { status, shown = '' } = answer;
  throw new Error(`${method} ${path} answered ${status}, which is not as described: ${fault}\n${shown}`);
}

const undescribed: ReadonlySet<string> = new Set([openApiPath, referencePath]);

/** Null: there is no such path or method. Undefined: the description says nothing of it. */
function describedAt(method: string, path: string): Operation | null | undefined {
  const [pathname = ''] = path.split('?', 1);
  if (!pathname.startsWith('/api/') || undescribed.has(pathname)) return undefined;
  return findOperation(method, pathname);
}

const named = (...names: string[]) => names.map((name) => name.toLowerCase());

/** What the API's description does not name one by one: those of HTTP itself, of our policies, for pages of other sites, of sessions, and for proxies. */
const ofEveryAnswer: readonly string[] = [
  ...named('Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Date'),
  ...named(...Object.keys(securityHeaders(true)), ...Object.keys(corsHeaders)),
  ...named('Set-Cookie', 'Clear-Site-Data', 'X-Accel-Buffering'),
];

function faultOfHead(operation: Operation, { status, headers }: Head): string | null {
  const described = answerOf(operation, status);
  if (described === undefined) return `there is no status ${status}`;
  if (!headers.has('x-request-id')) return 'X-Request-Id is missing';
  if (status === 429 && !headers.has('retry-after')) return 'Retry-After is missing';
  if (status === 401 && !headers.has('www-authenticate')) return 'WWW-Authenticate is missing';
  if (status === 200 && operation.answer === 'page' && !/^\d+\+?$/.test(headers.get('x-total-count') ?? ''))
    return 'X-Total-Count is missing';
  const type = typeOf(headers);
  if (!(type in described.content)) return `there is no content of the type ${type}`;
  const known = describedHeaders(operation);
  const further = [...headers.keys()].filter((name) => !known.has(name));
  return further.length === 0 ? null : `there is no header ${further.join(', ')}`;
}

const headersOf = new WeakMap<Operation, ReadonlySet<string>>();

/** Of any of its answers: what an import answers is named by X-Import-Id also where it fails. */
function describedHeaders(operation: Operation): ReadonlySet<string> {
  const known = headersOf.get(operation);
  if (known) return known;
  const statuses = Object.keys(answersOf(operation)).map(Number);
  const names = statuses.flatMap((status) => Object.keys(answerOf(operation, status)?.headers ?? {}));
  const made = new Set([...ofEveryAnswer, ...named(...names)]);
  headersOf.set(operation, made);
  return made;
}

/** There is no such path or method. */
function faultOfRefusal(method: string, { status, headers }: Head): string | null {
  if (method === 'HEAD' || status < 400) return null;
  return typeOf(headers) === 'application/json' ? null : 'an error is JSON';
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

const answers = new WeakMap<Operation, DescribedAnswers>();

function answersOf(operation: Operation): DescribedAnswers {
  const known = answers.get(operation) ?? describeAnswers(operation);
  answers.set(operation, known);
  return known;
}

function answerOf(operation: Operation, status: number): DescribedAnswer | undefined {
  const answer = answersOf(operation)[status];
  if (answer === undefined || 'content' in answer) return answer;
  return errors[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)];
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isError = ajv.compile({
  ...closed(errorReference),
  components: { schemas: { Error: closed(errorSchema) } },
});
const validators = new WeakMap<Operation, Map<number, ValidateFunction>>();

function validatorOf(operation: Operation, status: number): ValidateFunction | null {
  const schema = answerOf(operation, status)?.content['application/json']?.schema;
  if (schema === undefined) return null;
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

import type { ZodType } from 'zod';
import type { Access, AnswerKind, RestAddress, RestLine, RestMethod } from '#server/rpc/procedure-meta.ts';
import { bodyLimitsOf, type ProcedureEntry, procedures } from '#server/rpc/procedures.ts';
import type { BodyLimits } from '#server/wire/body-limits.ts';
import type { PlaygroundTab } from '#shared/playground.ts';

/** One REST operation. The matcher, the input, the answer and the OpenAPI document all read it. */
export interface Operation {
  /** The procedure's name; further ways to call it have the method behind it. */
  id: string;
  procedure: ProcedureEntry;
  access: Access;
  method: RestMethod;
  /** As people read it: `/api/collections/{name}`. */
  path: string;
  /** What the path's parameters are called in the input, and which segment of the path each is. */
  parameters: { name: string; field: string; segment: number }[];
  group: string;
  summary: string;
  description: string;
  /** Fields of an input that is good. */
  example: Readonly<Record<string, unknown>>;
  /** Of an upload. */
  exampleRows: readonly Readonly<Record<string, unknown>>[] | null;
  playground: PlaygroundTab | null;
  input: ZodType | null;
  /** Fields of the input that come from the query string; `all` that the path does not give. */
  query: 'all' | readonly string[];
  /** Fields of the input that a header gives. */
  headers: readonly string[];
  isTagged: boolean;
  /** `fields`: the body's fields are the input's. `as`: the whole body is this field. */
  body: 'none' | 'fields' | { as: string };
  bodyLimits: BodyLimits;
  answer: AnswerKind;
  output: ZodType | null;
  stream: 'import' | 'export' | null;
}

/** Every operation of the API, in the order in which people read about them. */
export const catalogue: readonly Operation[] = [...procedures.values()].flatMap(readLines);

/** The operations that a procedure's REST line describes, one for each address. */
export function readLines(procedure: ProcedureEntry): Operation[] {
  const { rest: line, access, input, name } = procedure;
  if (line === null) return [];
  const addresses = typeof line.at === 'string' ? [line.at] : line.at;
  return addresses.map((address, index) => {
    const { method, path, parameters } = readAddress(address);
    const isFirst = addresses.findIndex((one) => one.startsWith(`${method} `)) === index;
    const hasQueryOnly = method === 'GET' || method === 'DELETE';
    const hasBody = !hasQueryOnly && input !== null && line.stream === undefined && line.body !== null;
    return {
      id: index === 0 ? name : `${name}.${method.toLowerCase()}`,
      procedure,
      access,
      method,
      path,
      parameters,
      group: titleOf(name.slice(0, name.indexOf('.'))),
      summary: line.summary,
      description: line.description ?? '',
      example: exampleOf(line, method, parameters),
      exampleRows: line.exampleRows ?? null,
      playground: isFirst ? (line.playground ?? null) : null,
      input,
      query: hasQueryOnly ? 'all' : (line.query ?? []),
      headers: line.headers ?? [],
      isTagged: line.isTagged ?? false,
      body: !hasBody ? 'none' : line.body == null ? 'fields' : { as: line.body },
      bodyLimits: bodyLimitsOf(procedure),
      answer: line.answer ?? 'ok',
      output: line.output ?? null,
      stream: line.stream ?? null,
    };
  });
}

/** What the address takes of it is always shown. */
function exampleOf(
  { example = {}, exampleFields = {} }: RestLine,
  method: RestMethod,
  parameters: Operation['parameters'],
): Operation['example'] {
  const fields = exampleFields[method];
  if (fields === undefined) return example;
  const shown = new Set([...parameters.map(({ field }) => field), ...fields]);
  return Object.fromEntries(Object.entries(example).filter(([field]) => shown.has(field)));
}

function readAddress(address: RestAddress): Pick<Operation, 'method' | 'path' | 'parameters'> {
  const [method = '', template = ''] = address.split(' ');
  const parameters: Operation['parameters'] = [];
  const segments = template.split('/').map((text, segment) => {
    const [, name, field = name] = /^\{(\w+)(?::(\w+))?\}$/.exec(text) ?? [];
    if (name === undefined || field === undefined) return text;
    parameters.push({ name, field, segment });
    return `{${name}}`;
  });
  return { method: method as RestMethod, path: segments.join('/'), parameters };
}

/** `apiKeys` is read as `API Keys`. */
function titleOf(noun: string): string {
  const words = noun.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll(/\bApi\b/g, 'API');
}

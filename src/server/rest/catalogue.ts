import type { ZodType } from 'zod';
import type { Access, AnswerKind, RestAddress, RestMethod } from '#server/rpc/procedure-meta.ts';
import { bodyLimitsOf, type ProcedureEntry, procedures } from '#server/rpc/procedures.ts';
import type { BodyLimits } from '#server/wire/body-limits.ts';

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
  /** Fields of an input that is good. */
  example: Readonly<Record<string, unknown>>;
  input: ZodType | null;
  /** Fields of the input that come from the query string; `all` that the path does not give. */
  query: 'all' | readonly string[];
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
      example: line.example ?? {},
      input,
      query: hasQueryOnly ? 'all' : (line.query ?? []),
      body: !hasBody ? 'none' : line.body == null ? 'fields' : { as: line.body },
      bodyLimits: bodyLimitsOf(procedure),
      answer: line.answer ?? 'ok',
      output: line.output ?? null,
      stream: line.stream ?? null,
    };
  });
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

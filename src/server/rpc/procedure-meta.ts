import type { ZodType } from 'zod';
import type { BodyLimits } from '#server/wire/body-limits.ts';
import type { Permission } from '#shared/api-keys.ts';
import type { PlaygroundTab } from '#shared/playground.ts';
import type { Role } from '#shared/roles.ts';

/** `session`: a signed-in user only. `read`, `write`: a signed-in user, or an API key with that permission. */
export type Access = 'public' | 'session' | Permission;

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `GET /api/collections/{name}`. A parameter is the input's field of the same name; `{name:collection}` is called `name` in the address
 * and `collection` in the input.
 */
export type RestAddress = `${RestMethod} /api/${string}`;

/** What a procedure's output becomes: `rest/answer.ts` has one entry for each. */
export type AnswerKind = 'ok' | 'page' | 'created' | 'written' | 'user' | 'events';

/** How a procedure is called over REST. All that REST knows of an operation stands here, beside its code. */
export interface RestLine {
  /** Several addresses are several ways to call the same operation. */
  at: RestAddress | readonly RestAddress[];
  summary: string;
  /** What else is worth knowing before it is called, in whole sentences. */
  description?: string;
  /** An input that is good, in the API's description. Each operation with a body has one; those of the films are about the demo's. */
  example?: Readonly<Record<string, unknown>>;
  /** Which fields of the example a call with this method shows; absent: all. */
  exampleFields?: Partial<Record<RestMethod, readonly string[]>>;
  /** Rows of an upload that is good. */
  exampleRows?: readonly Readonly<Record<string, unknown>>[];
  /** Where it is tried in the console's playground; of each method its first address. */
  playground?: PlaygroundTab;
  /** Fields of the input that a POST, PUT or PATCH takes from the query string. The others are the body's; GET and DELETE have no body. */
  query?: readonly string[];
  /** Fields of the input that a header gives: `if_match` is `If-Match`. */
  headers?: readonly string[];
  /** What it answers is a document, whose ETag goes with it where the procedure says so by `ctx.noteTagged`. */
  isTagged?: true;
  /** The whole body is this field of the input; null: the address gives all of the input, there is no body. */
  body?: string | null;
  /** Default: `bodyLimits.anonymous` where anybody may call, `bodyLimits.other` elsewhere. */
  bodyLimits?: BodyLimits;
  /** Default: `ok`. */
  answer?: AnswerKind;
  /** What a success answers, for the API's description. Tests hold answers against it; a running server does not. An export needs none. */
  output?: ZodType;
  /** Rows stream in, or documents stream out; the procedure cannot be called over HTTP tRPC. */
  stream?: 'import' | 'export';
}

export interface ProcedureMeta {
  /** Set by the base procedure, together with the check. */
  access?: Access;
  /** What a signed-in user needs in the workspace of what the input names. Set by the base procedure, together with the check. */
  roleMin?: Role;
  /** What the audit log calls what it does in a workspace: `Alias set`. */
  act?: string;
  rest?: RestLine;
}

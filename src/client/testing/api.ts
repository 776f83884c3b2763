import { initTRPC, TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { vi } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { errorTable } from '#shared/errors.ts';

/** What a procedure answers in a test: a value, a promise of one, or `refuse(…)`. */
export type Answers = Record<string, (input: unknown, signal: AbortSignal) => unknown>;

class Refusal extends Error {
  readonly error: Omit<ErrorBody, 'requestId'> & { retryAfterSeconds?: number };

  constructor(error: Refusal['error']) {
    super(error.message);
    this.error = error;
  }
}

export function refuse(error: Refusal['error']): Refusal {
  return new Refusal(error);
}

interface Call {
  path: string;
  input: unknown;
  signal?: AbortSignal | undefined;
}

const t = initTRPC.create({
  isDev: false,
  errorFormatter: ({ shape, error: { cause } }) => {
    if (!(cause instanceof Refusal)) return shape;
    const { code, message: _, ...rest } = cause.error;
    return { ...shape, data: { ...shape.data, appCode: code, requestId: 'req_test', ...rest } };
  },
});

/** The network's other end: `fetch` answers tRPC calls from `answers`, in tRPC's own wire format, and remembers what was asked. */
export function answerTrpc(answers: Answers): { calls: { path: string; input: unknown }[] } {
  const calls: { path: string; input: unknown }[] = [];
  const procedure = t.procedure.input((input: unknown) => input);
  const answer = async ({ path, input, signal }: Call) => {
    calls.push({ path, input });
    const value = await (answers[path]?.(input, signal ?? new AbortController().signal) ??
      refuse({ code: 'NOT_FOUND', message: `No procedure ${path}` }));
    if (!(value instanceof Refusal)) return value;
    throw new TRPCError({ code: errorTable[value.error.code].trpc, message: value.message, cause: value });
  };
  vi.stubGlobal('fetch', (address: string | URL, init?: RequestInit) => {
    const req = new Request(new URL(address, 'http://console.test'), init);
    const names = new URL(req.url).pathname.replace('/trpc/', '').split(',');
    // As a query each of them can be called by POST; a mutation is answered no differently.
    const procedures = names.map((name) => [name, procedure.query(answer)]);
    return fetchRequestHandler({
      endpoint: '/trpc',
      req,
      router: t.router(Object.fromEntries(procedures)),
      allowMethodOverride: true,
    });
  });
  return { calls };
}

import { vi } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { errorTable } from '#shared/errors.ts';

/** What a procedure answers in a test: a value, or `refuse(…)`. */
export type Answers = Record<string, (input: unknown) => unknown>;

class Refusal {
  readonly error: Omit<ErrorBody, 'requestId'> & { retryAfterSeconds?: number };

  constructor(error: Refusal['error']) {
    this.error = error;
  }
}

export function refuse(error: Refusal['error']): Refusal {
  return new Refusal(error);
}

/** The network's other end: `fetch` answers tRPC calls from `answers`, in tRPC's own wire format, and remembers what was asked. */
export function answerTrpc(answers: Answers): { calls: { path: string; input: unknown }[] } {
  const calls: { path: string; input: unknown }[] = [];
  vi.stubGlobal('fetch', async (address: string | URL, init?: RequestInit) => {
    const url = new URL(address, 'http://console.test');
    const paths = url.pathname.replace('/trpc/', '').split(',');
    const inputs = JSON.parse(String(init?.body ?? url.searchParams.get('input') ?? '{}'));
    const results = paths.map((path, place) => {
      const input: unknown = inputs[place];
      calls.push({ path, input });
      const answer = answers[path]?.(input) ?? refuse({ code: 'NOT_FOUND', message: `No procedure ${path}` });
      return answer instanceof Refusal ? refusalBody(answer, path) : { result: { data: answer } };
    });
    return new Response(JSON.stringify(results), { headers: { 'content-type': 'application/json' } });
  });
  return { calls };
}

function refusalBody({ error }: Refusal, path: string) {
  const { status, trpc } = errorTable[error.code];
  const { code, message, ...rest } = error;
  const data = { code: trpc, httpStatus: status, path, appCode: code, requestId: 'req_test', ...rest };
  return { error: { message, code: -32000, data } };
}

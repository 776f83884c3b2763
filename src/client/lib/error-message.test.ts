// @vitest-environment node
import { TRPCClientError } from '@trpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { failureOf } from './error-message.ts';
import { createTrpcClient } from './trpc.ts';

afterEach(() => vi.unstubAllGlobals());

/** What a query and a mutation make of it. */
async function failuresOfBoth(): Promise<ReturnType<typeof failureOf>[]> {
  const client = createTrpcClient('http://console.test');
  const refused = [client.workspaces.list.query(), client.auth.logout.mutate()];
  return await Promise.all(refused.map((call) => call.then(() => expect.unreachable(), failureOf)));
}

const answerWith = (answer: () => Response) => vi.stubGlobal('fetch', async () => answer());

describe('failureOf', () => {
  it('knows what the server said over tRPC', async () => {
    const refusal = refuse({ code: 'CONFLICT', message: 'The name is taken' });
    answerTrpc({ 'workspaces.list': () => refusal, 'auth.logout': () => refusal });
    const said = { message: 'The name is taken', code: 'CONFLICT', requestId: 'req_test', details: [] };
    expect(await failuresOfBoth()).toEqual([said, said]);
  });

  it('tells that no answer came', async () => {
    answerWith(() => {
      throw new TypeError('Failed to fetch');
    });
    const message = 'The server cannot be reached. Check your connection and try again.';
    expect(await failuresOfBoth()).toEqual([
      { message, details: [] },
      { message, details: [] },
    ]);
  });

  it('knows what the server said about the request as such', async () => {
    const body = { message: 'The body is too long', code: 'PAYLOAD_TOO_LARGE', requestId: 'req_1' };
    answerWith(() => Response.json(body, { status: 413 }));
    const said = { ...body, message: '413: The body is too long', details: [] };
    expect(await failuresOfBoth()).toEqual([said, said]);
  });

  it("does not take a proxy's page for the server's words", async () => {
    answerWith(() => new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' }));
    const failure = { message: 'The server cannot be reached (502). Try again.', details: [] };
    expect(await failuresOfBoth()).toEqual([failure, failure]);
  });

  it('says what is our own fault in its own words', () => {
    const fault = TRPCClientError.from(new Error('Input is too big for a single dispatch'));
    expect(failureOf(fault).message).toBe('Input is too big for a single dispatch');
  });

  it('has words for an error without any', () => {
    expect(failureOf(new Error(''), 'Login failed').message).toBe('Login failed');
    expect(failureOf(undefined).message).toBe('Something went wrong');
  });
});

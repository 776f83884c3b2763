import { afterEach, describe, expect, it, vi } from 'vitest';
import { restFetch, restJson } from './rest.ts';

afterEach(() => vi.unstubAllGlobals());

const answerWith = (response: Response) => {
  const fetch = vi.fn(async (_path: string, _init?: RequestInit) => response);
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

describe('restFetch', () => {
  it('sends the cookie and answers the body', async () => {
    const fetch = answerWith(new Response('{"ok":true}'));
    expect(await restJson('/api/auth/logout', { method: 'POST' })).toEqual({ ok: true });
    expect(fetch).toHaveBeenCalledWith('/api/auth/logout', { credentials: 'include', method: 'POST' });
  });

  it('fails with status, colon and body', async () => {
    answerWith(new Response('no such thing', { status: 404 }));
    await expect(restFetch('/api/nothing')).rejects.toThrow('404: no such thing');
  });

  it('takes the status text where the body is empty', async () => {
    answerWith(new Response('', { status: 502, statusText: 'Bad Gateway' }));
    await expect(restFetch('/api/nothing')).rejects.toThrow('502: Bad Gateway');
  });
});

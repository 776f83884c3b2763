import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { useUpload } from './use-upload.ts';

afterEach(() => vi.unstubAllGlobals());

/** The network's other end: requests that stay under way. */
class Request {
  static made: Request[] = [];
  readonly upload = {};
  isAborted = false;
  onabort = () => {};
  onerror = () => {};
  open() {
    Request.made.push(this);
  }
  setRequestHeader() {}
  send() {}
  abort() {
    this.isAborted = true;
    this.onabort();
  }
}

function startUpload() {
  const queryClient = createQueryClient();
  return renderHook(() => useUpload(), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  });
}

const file = (name: string) => new File([`{"id":"${name}"}`], name);

it('ends with the screen that shows it', async () => {
  vi.stubGlobal('XMLHttpRequest', Request);
  const { result, unmount } = startUpload();
  await act(() => result.current.choose(file('a.json')));
  const { state } = result.current;
  if (state.step !== 'ready') throw new Error(`The file is not ready but ${state.step}`);
  act(() => void result.current.send(1, state));
  await waitFor(() => expect(result.current.state.step).toBe('sending'));
  expect(Request.made.map(({ isAborted }) => isAborted)).toEqual([false]);
  unmount();
  expect(Request.made.map(({ isAborted }) => isAborted)).toEqual([true]);
});

it('says what became of the documents when the connection is lost', async () => {
  vi.stubGlobal('XMLHttpRequest', Request);
  const { result } = startUpload();
  await act(() => result.current.choose(file('a.json')));
  const { state } = result.current;
  if (state.step !== 'ready') throw new Error(`The file is not ready but ${state.step}`);
  let sent = Promise.resolve();
  act(() => {
    sent = result.current.send(1, state);
  });
  act(() => Request.made.at(-1)?.onerror());
  await act(() => sent);
  expect(result.current.state).toMatchObject({
    step: 'ready',
    fault: expect.stringContaining('Documents that had already arrived are kept.'),
  });
});

it('keeps to the file that was chosen last', async () => {
  let read = () => {};
  const slow = file('slow.json');
  const text = new Promise<string>((resolve) => {
    read = () => resolve('{"id":"slow"}');
  });
  slow.slice = () => Object.assign(new Blob(), { text: () => text });
  const { result } = startUpload();
  let first = Promise.resolve();
  act(() => {
    first = result.current.choose(slow);
  });
  await act(() => result.current.choose(file('fast.json')));
  read();
  await act(() => first);
  expect(result.current.state).toMatchObject({ step: 'ready', file: { name: 'fast.json' } });
});

import { afterEach, expect, it, vi } from 'vitest';
import { exportDocuments } from './export-documents.ts';

afterEach(() => vi.unstubAllGlobals());

it('an export is read to its end, counted by lines wherever they are cut, and never by halves', async () => {
  const bytes = new TextEncoder().encode('{"id":"ä"}\n{"id":"b"}\n');
  const pieces = (end: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, 8));
        controller.enqueue(bytes.slice(8));
        end(controller);
      },
    });
  const asked: string[] = [];
  const answer = (body: ReadableStream | string, status = 200) =>
    vi.stubGlobal('fetch', (address: string) => {
      asked.push(address);
      return Promise.resolve(new Response(body, { status }));
    });
  const told: number[] = [];
  const ask = () =>
    exportDocuments({
      collection: 7,
      filter: ' year:>1990 ',
      signal: new AbortController().signal,
      onProgress: (documents) => told.push(documents),
    });
  answer(pieces((controller) => controller.close()));
  expect(await (await ask()).text()).toBe('{"id":"ä"}\n{"id":"b"}\n');
  expect(told).toEqual([0, 2]);
  expect(asked).toEqual(['/api/collections/7/documents/export?filter_by=year%3A%3E1990']);
  answer(pieces((controller) => controller.error(new TypeError('gone'))));
  await expect(ask()).rejects.toThrow('gone');
  answer('{"code":"BAD_REQUEST","message":"filter_by: no"}', 400);
  await expect(ask()).rejects.toMatchObject({ status: 400 });
});

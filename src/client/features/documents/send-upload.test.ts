import { afterEach, expect, test, vi } from 'vitest';
import { RestError } from '#client/lib/rest-error.ts';
import { keepSessionBy } from '#client/lib/session-keeper.ts';
import { sendUpload, sendWhileSignedIn, UploadCancelled } from './send-upload.ts';

afterEach(() => void vi.unstubAllGlobals());

const upload = { body: new Blob(['[]']), mediaType: 'application/json', isGzip: false, parameters: {} };

test('an upload that is cancelled before it is sent ends like any other that is cancelled', async () => {
  const signal = AbortSignal.abort();
  const sent = sendUpload({ collectionId: 1, upload, key: 'key', signal, onProgress: () => {} });
  await expect(sent).rejects.toBeInstanceOf(UploadCancelled);
});

/** Answers with one status after the other; the keys that came with the requests. */
function answerWith(...statuses: number[]) {
  const keys: string[] = [];
  class Request {
    readonly upload = {};
    readonly statusText = '';
    status = 0;
    response = new Blob();
    onload: (() => void) | null = null;
    open(): void {}
    setRequestHeader(name: string, value: string): void {
      if (name === 'Idempotency-Key') keys.push(value);
    }
    send(): void {
      this.status = statuses.shift() ?? 500;
      const answer =
        this.status === 200 ? { succeeded: 2, failed: 0, faults: [], results: [] } : { code: 'UNAUTHORIZED' };
      this.response = new Blob([JSON.stringify(answer)]);
      queueMicrotask(() => this.onload?.());
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return keys;
}

const asked = {
  collectionId: 1,
  upload,
  key: 'key',
  signal: new AbortController().signal,
  onProgress: () => {},
};

test('an upload that meets an ended session waits for the reader, and is sent again as it was', async () => {
  const keys = answerWith(401, 200);
  const stepBack = keepSessionBy(async () => true);
  expect(await sendWhileSignedIn(asked)).toMatchObject({ succeeded: 2, failed: 0 });
  expect(keys).toEqual(['key', 'key']);
  stepBack();
});

test.each<[string, boolean | null]>([
  ['the reader does not sign in', false],
  ['there is no session to bring back', null],
])('an upload is refused where %s', async (_, isBack) => {
  const keys = answerWith(401, 200);
  const stepBack = keepSessionBy(async () => isBack);
  await expect(sendWhileSignedIn(asked)).rejects.toBeInstanceOf(RestError);
  expect(keys).toEqual(['key']);
  stepBack();
});

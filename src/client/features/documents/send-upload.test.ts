import { expect, test } from 'vitest';
import { sendUpload, UploadCancelled } from './send-upload.ts';

const upload = { body: new Blob(['[]']), mediaType: 'application/json', isGzip: false, parameters: {} };

test('an upload that is cancelled before it is sent ends like any other that is cancelled', async () => {
  const signal = AbortSignal.abort();
  const sent = sendUpload({ collectionId: 1, upload, key: 'key', signal, onProgress: () => {} });
  await expect(sent).rejects.toBeInstanceOf(UploadCancelled);
});

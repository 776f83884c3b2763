import { expect, test } from 'vitest';
import { startKit } from '#server/testing/kit.ts';

const https = 'https://search.example.com';

test.each<[host: string, publicUrl: string | null, isWarned: boolean]>([
  ['127.0.0.1', null, false],
  ['127.1.2.3', null, false],
  ['localhost', null, false],
  ['::1', null, false],
  ['127.0.0.1', 'http://search.example.com', false],
  ['0.0.0.0', https, false],
  ['0.0.0.0', null, true],
  ['::', null, true],
  ['192.168.1.5', null, true],
  ['127.0.0.1.example.com', null, true],
  ['0.0.0.0', 'http://search.example.com', true],
])(
  'a start with HOST=%s and PUBLIC_URL=%s: a line of the log says that what is sent can be read: %s',
  async (host, publicUrl, isWarned) => {
    const kit = await startKit({ settings: { host, publicUrl } });
    await kit.close();
    const lines = kit.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    const expected = {
      message: expect.stringMatching(/HOST .*PUBLIC_URL .*proxy with TLS/),
      host,
      publicUrl,
    };
    expect(lines).toEqual(isWarned ? [expect.objectContaining(expected)] : []);
  },
);

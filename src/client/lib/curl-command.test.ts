// @vitest-environment node
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlCommand } from './curl-command.ts';

test('a shell reads the values back as they were', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'));
  fc.assert(
    fc.property(text, (value) => {
      const command = curlCommand({ method: 'POST', url: 'http://x/', body: { query: value } });
      const args = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
        encoding: 'utf8',
      });
      expect(JSON.parse(args.split('\0').at(-2) ?? '')).toEqual({ query: value });
    }),
    { numRuns: 25 },
  );
});

test('the parts stand on their own lines', () => {
  expect(curlCommand({ method: 'GET', url: 'http://x/?q=1', headers: { 'X-API-Key': "it's" } })).toBe(
    "curl 'http://x/?q=1' \\\n  -H 'X-API-Key: it'\\''s'",
  );
});

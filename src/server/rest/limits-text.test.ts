import { expect, test } from 'vitest';
import { limits } from '#shared/limits.ts';
import { limitsText } from './limits-text.ts';

const page = `# Limits

Whatever a caller can run into, made from the limits that the server checks (a test writes this page anew with \`npx vitest -u limits-text\`, and fails when it
is out of date). \`GET /api/openapi.json\` has the same under \`x-limits\`. What a workspace may have by its plan, and how many requests there are a minute, is set by
whoever runs the server: [operations](operations.md).

A size is of bytes in UTF-8; 1 KB has 1,024 of them.

${limitsText()}
`;

test('docs/limits.md says what the limits are', async () => {
  await expect(page).toMatchFileSnapshot('../../../docs/limits.md');
});

test('every limit has its line, with its unit', () => {
  const text = limitsText();
  for (const name of Object.keys(limits)) expect(text).toContain(`\`${name}\` |`);
  expect(text).toContain('| A document, as JSON | 4 MB | `documentBytesMax` |');
  expect(text).toContain('| The id of a document | 512 bytes | `documentIdBytesMax` |');
  expect(text).toContain('| Items of a page (`per_page`) | 250 | `perPageMax` |');
  expect(text).toContain('| How long imports are kept | 24 hours | `importsKeptHours` |');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contentsFile, entriesOf, readContents } from '#shared/articles/contents.ts';
import { operationLinks } from '#shared/articles/operation-links.gen.ts';
import { catalogue } from './catalogue.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const articles = entriesOf(readContents(read(contentsFile)));

/** What articles name in code marks as an operation: `POST /api/collections/{name}/search`. */
const named = new Set(
  articles
    .flatMap(({ file }) => [...read(file).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`\s]+)`/g)])
    .flatMap(([, text = '']) => text),
);
/** In Swagger UI an operation's anchor is its group and its id. */
const links = catalogue
  .map(({ method, path: address, group, id }) => ({
    text: `${method} ${address}`,
    anchor: `${encodeURIComponent(group)}/${id}`,
  }))
  .filter(({ text }) => named.has(text));

const module = `/** Where \`/api/docs\` describes the operations that articles name. A test writes it anew: \`npx vitest run operation-links --update\`. */
export const operationLinks: Readonly<Record<string, string>> = {
${links.map(({ text, anchor }) => `  ${JSON.stringify(text)}: ${JSON.stringify(anchor)},`).join('\n')}
};
`;

test('the console knows where each operation that an article names is described', async () => {
  await expect(module).toMatchFileSnapshot('../../shared/articles/operation-links.gen.ts');
});

test('articles name operations that exist', () => {
  // The description itself is no operation of the catalogue; neither is the stream of changes.
  const others = ['GET /api/openapi.json', 'GET /api/live', 'GET /api/docs'];
  const known = new Set([...catalogue.map((one) => `${one.method} ${one.path}`), ...others]);
  const isPlain = (text: string) => !/[?…]/.test(text);
  expect([...named].filter((text) => isPlain(text) && !known.has(text))).toEqual([]);
  expect(Object.keys(operationLinks).length).toBeGreaterThan(25);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readArticle } from '../scripts/articles/read-article.ts';
import type { Article, Block, Inline } from './shared/articles/blocks.ts';
import { contentsFile, entriesOf, readContents } from './shared/articles/contents.ts';
import { passagesOf } from './shared/articles/passages.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const contents = readContents(read(contentsFile));
const entries = entriesOf(contents);
const articles = new Map(
  entries.map((entry) => [entry.slug, readArticle(read(entry.file), entry, entries)] as const),
);

test('the list has the sections of the console, and each article once', () => {
  expect(contents.sections.map(({ title }) => title)).toEqual([
    'Getting Started',
    'API Reference',
    'Integrations',
    'Guides',
  ]);
  expect(new Set(entries.map(({ slug }) => slug)).size).toBe(entries.length);
});

test('the list has every file of its folder', () => {
  const files = readdirSync(path.join(root, 'docs/articles')).filter((name) => name !== 'README.md');
  const listed = entries.map(({ file }) => file).filter((file) => file.startsWith('docs/articles/'));
  expect(listed.sort()).toEqual(files.map((name) => `docs/articles/${name}`).sort());
});

test.each(entries.filter(({ file }) => file.startsWith('docs/articles/')))(
  '$slug is called what the list calls it',
  ({ slug, title }) => expect(articles.get(slug)?.title).toBe(title),
);

function inlinesOf(block: Block): Inline[] {
  if (block.kind === 'list') return block.items.flat().flatMap(inlinesOf);
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flat();
  return block.kind === 'heading' || block.kind === 'paragraph' ? block.text : [];
}

function linksOf({ blocks }: Article) {
  const nested = (one: Inline): Inline[] =>
    typeof one === 'string' || typeof one.text === 'string' ? [one] : [one, ...one.text.flatMap(nested)];
  return blocks
    .flatMap(inlinesOf)
    .flatMap(nested)
    .flatMap((one) => (typeof one !== 'string' && one.kind === 'article' ? [one] : []));
}

function anchorsOf({ blocks }: Article): string[] {
  return blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : []));
}

test.each([...articles.values()])('the links of $slug lead to parts that are there', (article) => {
  const lost = linksOf(article).filter(({ slug, anchor }) => {
    const target = articles.get(slug);
    return !target || (anchor !== '' && !anchorsOf(target).includes(anchor));
  });
  expect(lost).toEqual([]);
});

test('links are followed at all', () => {
  const links = [...articles.values()].flatMap(linksOf);
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter(({ anchor }) => anchor !== '').length).toBeGreaterThan(10);
});

test.each(entries)('what is found in $slug has an anchor that is there', ({ slug, file }) => {
  const article = articles.get(slug);
  const anchors = article ? anchorsOf(article) : [];
  const found = passagesOf(read(file)).map(({ anchor }) => anchor);
  expect(found.filter((anchor) => anchor !== '' && !anchors.includes(anchor))).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
});

test('whatever an article shows as one line of curl is a sample in three languages', () => {
  const samples = [...articles.values()].flatMap(({ blocks }) =>
    blocks.filter(({ kind }) => kind === 'sample'),
  );
  const lines = entries
    .filter(({ file }) => file.startsWith('docs/articles/'))
    .flatMap(({ file }) => [...read(file).matchAll(/^```sh\ncurl (?!-c )/gm)]);
  expect(samples.length).toBeGreaterThanOrEqual(lines.length);
  expect(lines.length).toBeGreaterThan(45);
});

test('what the console does not show is a fault, with the name of the article', () => {
  const [entry] = entries;
  if (!entry) throw new Error('There are no articles');
  expect(() => readArticle('# A\n\n![picture](x.png)', entry, entries)).toThrow(/quick-start.*image/);
  expect(() => readArticle('Text', entry, entries)).toThrow(/does not begin with its title/);
});

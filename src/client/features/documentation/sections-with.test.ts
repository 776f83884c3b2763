// @vitest-environment node
import { expect, it } from 'vitest';
import type { ArticleSection } from '#shared/articles/contents.ts';
import { sectionsWith } from './sections-with.ts';

const article = (title: string) => ({ slug: title, title, description: 'about', file: 'x.md' });
const sections: ArticleSection[] = [
  { title: 'Getting Started', description: 'First steps', articles: [article('Quick start')] },
  { title: 'Guides', description: 'Whole tasks', articles: [article('Importing data')] },
];

it.each([
  ['guide', ['Guides']],
  ['FIRST', ['Getting Started']],
  [' import ', ['Guides']],
  ['s', ['Getting Started', 'Guides']],
  ['nothing of it', []],
  ['', ['Getting Started', 'Guides']],
])('“%s” leaves the cards whose title, description or articles’ titles have it', (query, titles) => {
  expect(sectionsWith(sections, query).map(({ title }) => title)).toEqual(titles);
});

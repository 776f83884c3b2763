import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { contentsFile, entriesOf, readContents } from '../../src/shared/articles/contents.ts';
import { readArticle } from './read-article.ts';

const root = path.resolve(import.meta.dirname, '../..');
const contentsModule = 'virtual:articles';
const articleModule = /^virtual:article\/([\w-]+)$/;

/**
 * The documentation's articles as modules, made from their Markdown while the console is built: `virtual:articles` is the list of
 * them and the way to fetch each, which is a file of its own.
 */
export function articles(): Plugin {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const contents = () => readContents(read(contentsFile));
  return {
    name: 'articles',
    resolveId: (id) => (id === contentsModule || articleModule.test(id) ? `\0${id}` : null),
    load(id) {
      const name = id.replace(/^\0/, '');
      const slug = articleModule.exec(name)?.[1];
      if (name !== contentsModule && slug === undefined) return null;
      const all = contents();
      const entries = entriesOf(all);
      this.addWatchFile(path.join(root, contentsFile));
      if (slug === undefined)
        return contentsCode(
          all,
          entries.map((entry) => entry.slug),
        );
      const entry = entries.find((one) => one.slug === slug);
      if (!entry) throw new Error(`${contentsFile} has no article ${slug}`);
      this.addWatchFile(path.join(root, entry.file));
      return `export const article = ${JSON.stringify(readArticle(read(entry.file), entry, entries))};`;
    },
  };
}

function contentsCode(contents: object, slugs: string[]): string {
  const loaders = slugs.map((slug) => `${JSON.stringify(slug)}: () => import('virtual:article/${slug}')`);
  return `export const contents = ${JSON.stringify(contents)};
export const loadArticle = { ${loaders.join(', ')} };`;
}

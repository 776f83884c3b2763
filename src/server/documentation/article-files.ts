import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArticleEntry, type Contents, contentsFile, readContents } from '#shared/articles/contents.ts';

/** The articles' Markdown, read when it is asked for. */
export interface ArticleFiles {
  contents(): Promise<Contents>;
  read(entry: ArticleEntry): Promise<string>;
}

/** `rootDir`: the repository's folder, in which `docs/` lies. */
export function createArticleFiles(rootDir: string): ArticleFiles {
  const text = (file: string) => readFile(path.join(rootDir, file), 'utf8');
  return {
    contents: async () => readContents(await text(contentsFile)),
    read: ({ file }) => text(file),
  };
}

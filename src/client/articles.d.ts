/** Made by scripts/articles/articles-plugin.ts from the Markdown of the articles. */
declare module 'virtual:articles' {
  import type { Article } from '#shared/articles/blocks.ts';
  import type { Contents } from '#shared/articles/contents.ts';

  export const contents: Contents;
  /** By slug. */
  export const loadArticle: Record<string, () => Promise<{ article: Article }>>;
}

import { z } from 'zod';
import { articleQueryCharactersMax } from './articles/query.ts';

/** What is searched for in the articles. */
export const articlesInput = z.strictObject({
  query: z.string().max(articleQueryCharactersMax, `must be at most ${articleQueryCharactersMax} characters`),
});

/** A passage that was found. */
export interface ArticleHit {
  slug: string;
  /** The article's title. */
  article: string;
  /** Empty: the article's beginning. */
  anchor: string;
  heading: string;
  /** With `<mark>`, everything else escaped. */
  snippet: string;
}

export interface ArticlesAnswer {
  /** At most eight, the best first. */
  hits: ArticleHit[];
}

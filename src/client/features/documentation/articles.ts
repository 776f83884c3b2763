import { contents, loadArticle } from 'virtual:articles';
import type { Article } from '#shared/articles/blocks.ts';
import { entriesOf } from '#shared/articles/contents.ts';

export { contents };

const entries = entriesOf(contents);

/** Null: there is none of this name. */
export async function findArticle(slug: string): Promise<Article | null> {
  const load = Object.hasOwn(loadArticle, slug) ? loadArticle[slug] : undefined;
  return load ? (await load()).article : null;
}

/** The articles before and behind one, in the order of the list. */
export function neighboursOf(slug: string) {
  const at = entries.findIndex((entry) => entry.slug === slug);
  return { before: entries[at - 1] ?? null, behind: entries[at + 1] ?? null };
}

export function sectionOf(slug: string) {
  return contents.sections.find(({ articles }) => articles.some((entry) => entry.slug === slug)) ?? null;
}

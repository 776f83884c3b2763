import type { ArticleSection } from '#shared/articles/contents.ts';

/** The sections whose title, description or an article's title has the words. */
export function sectionsWith(sections: ArticleSection[], query: string): ArticleSection[] {
  const wanted = query.trim().toLowerCase();
  return sections.filter(({ title, description, articles }) =>
    [title, description, ...articles.map((article) => article.title)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
}

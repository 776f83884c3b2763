/** The articles of the documentation in their order, as `docs/articles/README.md` lists them. */
export interface Contents {
  title: string;
  /** A sentence or two about the whole. */
  summary: string;
  sections: ArticleSection[];
}

export interface ArticleSection {
  title: string;
  description: string;
  articles: ArticleEntry[];
}

export interface ArticleEntry {
  /** Its address: `/documentation/<slug>`. */
  slug: string;
  title: string;
  description: string;
  /** Its path in the repository: `docs/articles/filters.md`. */
  file: string;
}

export const contentsFile = 'docs/articles/README.md';

/**
 * Reads the list: `# title`, `> summary`, and for each section `## title`, a line about it and `- [title](file.md): description`.
 * @throws Error naming a line that is none of these
 */
export function readContents(text: string): Contents {
  const contents: Contents = { title: '', summary: '', sections: [] };
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const section = contents.sections.at(-1);
    if (line.startsWith('# ')) contents.title = line.slice(2);
    else if (line.startsWith('> ')) contents.summary = line.slice(2);
    else if (line.startsWith('## '))
      contents.sections.push({ title: line.slice(3), description: '', articles: [] });
    else if (section && line.startsWith('- ')) section.articles.push(readEntry(line));
    else if (section && section.description === '') section.description = line;
    else throw new Error(`${contentsFile} has a line that is no part of a list of articles: ${line}`);
  }
  return contents;
}

function readEntry(line: string): ArticleEntry {
  const [, title, target, description] = /^- \[(.+)\]\(((?:\.\.\/)?[\w-]+\.md)\): (.+)$/.exec(line) ?? [];
  if (title === undefined || target === undefined || description === undefined)
    throw new Error(`${contentsFile} has an item that is not "- [title](file.md): description": ${line}`);
  const file = target.startsWith('../') ? `docs/${target.slice(3)}` : `docs/articles/${target}`;
  return { slug: slugOfFile(target), title, description, file };
}

/** `../search.md` is the article `search`. */
function slugOfFile(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.md$/, '');
}

export function entriesOf({ sections }: Pick<Contents, 'sections'>): ArticleEntry[] {
  return sections.flatMap(({ articles }) => articles);
}

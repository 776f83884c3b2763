import { type ArticleEntry, entriesOf } from '#shared/articles/contents.ts';
import type { ArticleFiles } from './article-files.ts';

/** The documentation for machines, as Markdown: https://llmstxt.org describes the list. */
export interface MachineTexts {
  /** `/llms.txt`: the list of the articles, each with its address. */
  list(): Promise<string>;
  /** `/llms-full.txt`: all articles, one after the other. */
  all(): Promise<string>;
  /** `/documentation/<slug>.md`; null: there is none of this name. */
  article(slug: string): Promise<string | null>;
}

const articleAddress = (slug: string) => `/documentation/${slug}.md`;

/** What was read is kept: the articles do not change under a server that runs. */
export function createMachineTexts(files: ArticleFiles): MachineTexts {
  const all = onceIfGood(() => readAll(files));
  const list = onceIfGood(() => writeList(files));
  return {
    list,
    all: async () => [...(await all()).values()].join('\n\n'),
    article: async (slug) => (await all()).get(slug) ?? null,
  };
}

/** By slug, in the order of the list. */
async function readAll(files: ArticleFiles): Promise<Map<string, string>> {
  const entries = entriesOf(await files.contents());
  const texts = entries.map(async (entry) => {
    const markdown = await files.read(entry);
    return [entry.slug, withAddresses(markdown, entry, entries)] as const;
  });
  return new Map(await Promise.all(texts));
}

async function writeList(files: ArticleFiles): Promise<string> {
  const { title, summary, sections } = await files.contents();
  const lines = sections.flatMap((section) => [
    `## ${section.title}`,
    '',
    ...section.articles.map(
      (entry) => `- [${entry.title}](${articleAddress(entry.slug)}): ${entry.description}`,
    ),
    '',
  ]);
  const others = [
    '## Optional',
    '',
    '- [OpenAPI description](/api/openapi.json): every operation, its parameters and answers',
    '- [All articles in one text](/llms-full.txt)',
    '',
  ];
  return [`# ${title}`, '', `> ${summary}`, '', ...lines, ...others].join('\n');
}

/** Links to articles lead to their Markdown; other files of the repository are not served, and are only named. */
function withAddresses(markdown: string, from: ArticleEntry, entries: ArticleEntry[]): string {
  const folder = from.file.replace(/[^/]+$/, '');
  return markdown.replaceAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
    const [file = '', anchor] = target.split('#');
    if (file === '' || /^[a-z]+:/.test(file)) return link;
    const path = new URL(file, `file:///${folder}`).pathname.slice(1);
    const entry = entries.find((one) => one.file === path);
    if (!entry) return text;
    return `[${text}](${articleAddress(entry.slug)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** A failure is not kept. */
function onceIfGood<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

import type { Requester } from '#server/admission/requester.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import {
  type BuiltInDocument,
  BuiltInIndex,
  builtInDimension,
  builtInQuery,
} from '#server/indexes/built-in-index.ts';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { entriesOf } from '#shared/articles/contents.ts';
import { passagesOf } from '#shared/articles/passages.ts';
import type { ArticleHit, ArticlesAnswer } from '#shared/documentation.ts';
import type { SearchHit } from '#shared/search.ts';
import type { ArticleFiles } from './article-files.ts';

/** A search over the passages of the documentation's articles, by this product's own engine. */
export interface ArticleSearch {
  /**
   * The passages that a query of at most 256 characters is about, the best first; none for an empty one.
   * @throws AppError UNAVAILABLE (the engine is busy with others)
   */
  search(query: string, asked: { caller: string; signal: AbortSignal }): Promise<ArticlesAnswer>;
}

/** Of a passage as it is indexed. */
interface IndexedPassage {
  slug: string;
  article: string;
  /** Its heading; of what stands before the first one the article's title. */
  name: string;
  anchor: string;
  heading: string;
  text: string;
  table: string;
  code: string;
  /** It tells all of something rather than how to begin with it. */
  isInDepth: boolean;
}

/** No collection of the record has this id, nor has the landing page's catalogue. */
const id = -1;
const guidesFolder = 'docs/articles/';
const hitsMax = 8;
const candidatesMax = 100;
const passagesOfArticleMax = 3;
/** From this similarity on a passage is about what was asked, whatever its words. */
const similarityMin = 0.3;
/** What somebody begins with comes before what is in depth, where both are about what was asked. */
const inDepthFactor = 0.8;
/** Less than a search of somebody's own documents. */
const asked: Pick<Requester, 'tenant' | 'weight'> = { tenant: 'documentation', weight: 1 / 4 };

export function createArticleSearch(parts: {
  embedder: Embedder;
  host: EngineHost;
  files: ArticleFiles;
}): ArticleSearch {
  const { embedder, host, files } = parts;
  const index = new BuiltInIndex({ embedder, host, id, asked, read: () => readPassages(files) });
  return {
    search: async (query, { caller, signal }) => {
      const text = query.trim();
      if (text === '') return { hits: [] };
      const vector = await embedder.embedQuery(text, builtInDimension);
      const hits = await index.search<IndexedPassage>(queryFor(text, vector), { caller, signal });
      return {
        hits: varied(inOrder(hits.filter(fits)))
          .slice(0, hitsMax)
          .map(toArticleHit),
      };
    },
  };
}

async function readPassages(files: ArticleFiles): Promise<BuiltInDocument[]> {
  const entries = entriesOf(await files.contents());
  const lists = await Promise.all(
    entries.map(async (entry) =>
      passagesOf(await files.read(entry)).map((passage): BuiltInDocument => {
        const { anchor, heading, text, table } = passage;
        const { slug, title: article } = entry;
        const isInDepth = !entry.file.startsWith(guidesFolder);
        const source: IndexedPassage = { slug, article, name: heading || article, isInDepth, ...passage };
        const title = heading === '' ? `${article}. ${entry.description}` : `${article}: ${heading}`;
        return { id: `${slug}#${anchor}`, embedded: { title, text: `${text}\n${table}`.trim() }, source };
      }),
    ),
  );
  return lists.flat();
}

function queryFor(text: string, vector: Float32Array) {
  return builtInQuery({
    text,
    vector,
    fields: [
      { name: 'name', weight: 3 },
      { name: 'article', weight: 2 },
      { name: 'text', weight: 1 },
      // A table names many things, and is about few of them.
      { name: 'table', weight: 0.5 },
      { name: 'code', weight: 0.5 },
    ],
    limit: candidatesMax,
    k: candidatesMax,
    alpha: 0.5,
    highlightFields: ['text', 'table'],
    ranking: toRanking(),
  });
}

/** A passage has half of the words, or is about the same. */
function fits({ explain }: SearchHit<IndexedPassage>): boolean {
  const held = explain?.keyword?.words.length ?? 0;
  const missing = explain?.keyword?.missing.length ?? 0;
  return (held > 0 && held >= missing) || (explain?.vector?.similarity ?? 0) >= similarityMin;
}

function inOrder(hits: SearchHit<IndexedPassage>[]): SearchHit<IndexedPassage>[] {
  const scoreOf = ({ score, document }: SearchHit<IndexedPassage>) =>
    score * (document.isInDepth ? inDepthFactor : 1);
  return hits.toSorted((a, b) => scoreOf(b) - scoreOf(a));
}

/** A long article is no answer eight times over. */
function varied(hits: SearchHit<IndexedPassage>[]): SearchHit<IndexedPassage>[] {
  const shown = new Map<string, number>();
  return hits.filter(({ document: { slug } }) => {
    const before = shown.get(slug) ?? 0;
    shown.set(slug, before + 1);
    return before < passagesOfArticleMax;
  });
}

const snippetCharacters = 180;

function toArticleHit({ document, highlights }: SearchHit<IndexedPassage>): ArticleHit {
  const { slug, article, anchor, heading, text, table, code } = document;
  const markedIn = (name: string) => highlights.find(({ field }) => field === name)?.snippet;
  return {
    slug,
    article,
    anchor,
    heading,
    snippet: markedIn('text') ?? markedIn('table') ?? escaped(beginningOf(text || table || code)),
  };
}

/** Not cut within a word, where it has any. */
function beginningOf(text: string): string {
  if (text.length <= snippetCharacters) return text;
  const cut = text.slice(0, snippetCharacters).toWellFormed();
  const end = cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut} …`;
}

/** As the engine escapes what stands around its marks. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import path from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { anchorGiver } from '../../src/shared/articles/anchors.ts';
import { type Article, type Block, type Inline, plainText } from '../../src/shared/articles/blocks.ts';
import type { ArticleEntry } from '../../src/shared/articles/contents.ts';
import { readSample } from '../../src/shared/articles/sample-request.ts';

interface Reading {
  entry: ArticleEntry;
  /** All articles. */
  entries: ArticleEntry[];
  anchor: (heading: string) => string;
}

/**
 * What an article's Markdown says, as blocks.
 * @throws Error naming the article and what it has that the console does not show
 */
export function readArticle(markdown: string, entry: ArticleEntry, entries: ArticleEntry[]): Article {
  const reading = { entry, entries, anchor: anchorGiver() };
  const [heading, ...tokens] = marked.lexer(markdown);
  if (heading?.type !== 'heading' || heading['depth'] !== 1)
    throw new Error(`${entry.file} does not begin with its title`);
  return { slug: entry.slug, title: String(heading['text']), blocks: blocksOf(tokens, reading) };
}

function blocksOf(tokens: Token[], reading: Reading): Block[] {
  return tokens.filter(({ type }) => type !== 'space').map((token) => blockOf(token, reading));
}

function blockOf(token: Token, reading: Reading): Block {
  switch (token.type) {
    case 'heading':
      return headingOf(token as Tokens.Heading, reading);
    case 'paragraph':
    case 'text':
      return { kind: 'paragraph', text: inlinesOf(token as Tokens.Paragraph, reading) };
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return {
        kind: 'list',
        isOrdered: ordered,
        items: items.map((item) => blocksOf(item.tokens, reading)),
      };
    }
    case 'table':
      return tableOf(token as Tokens.Table, reading);
    case 'code':
      return codeOf(token as Tokens.Code);
    default:
      throw new Error(`${reading.entry.file} has a ${token.type}, which the console does not show`);
  }
}

function headingOf(token: Tokens.Heading, reading: Reading): Block {
  if (token.depth !== 2 && token.depth !== 3)
    throw new Error(`${reading.entry.file} has a heading of level ${token.depth}: ${token.text}`);
  const text = inlinesOf(token, reading);
  return { kind: 'heading', level: token.depth, anchor: reading.anchor(plainText(text)), text };
}

function tableOf({ header, rows }: Tokens.Table, reading: Reading): Block {
  const cellsOf = (cells: Tokens.TableCell[]) => cells.map((cell) => inlinesOf(cell, reading));
  return { kind: 'table', head: cellsOf(header), rows: rows.map(cellsOf) };
}

function codeOf({ lang, text }: Tokens.Code): Block {
  const request = lang === 'sh' ? readSample(text) : null;
  return request ? { kind: 'sample', request } : { kind: 'code', language: lang ?? '', code: text };
}

function inlinesOf({ tokens = [] }: { tokens?: Token[] }, reading: Reading): Inline[] {
  return tokens.map((token) => inlineOf(token, reading));
}

function inlineOf(token: Token, reading: Reading): Inline {
  switch (token.type) {
    case 'text':
    case 'escape':
      return unescaped((token as Tokens.Text).text);
    case 'codespan':
      return { kind: 'code', text: unescaped((token as Tokens.Codespan).text) };
    case 'strong':
      return { kind: 'strong', text: inlinesOf(token as Tokens.Strong, reading) };
    case 'em':
      return { kind: 'emphasis', text: inlinesOf(token as Tokens.Em, reading) };
    case 'link':
      return linkOf(token as Tokens.Link, reading);
    default:
      throw new Error(`${reading.entry.file} has a ${token.type}, which the console does not show`);
  }
}

/** Where it leads in the console: to an article, or out. What lies elsewhere in the repository is not served, and only named. */
function linkOf(token: Tokens.Link, reading: Reading): Inline {
  const text = inlinesOf(token, reading);
  const [target = '', anchor = ''] = token.href.split('#');
  if (/^[a-z]+:/.test(target)) return { kind: 'link', href: token.href, text };
  const { entry, entries } = reading;
  const file = target === '' ? entry.file : path.posix.join(path.posix.dirname(entry.file), target);
  const slug = entries.find((one) => one.file === file)?.slug;
  if (slug !== undefined) return { kind: 'article', slug, anchor, text };
  return { kind: 'code', text: plainText(text) };
}

/** marked leaves entities as they are written, and escapes `&` and `<` itself in code. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

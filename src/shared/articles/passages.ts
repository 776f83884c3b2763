import { anchorGiver } from './anchors.ts';

/** A part of an article, from one heading to the next. */
export interface Passage {
  /** Empty: what stands before the first heading. */
  anchor: string;
  heading: string;
  /** Without Markdown's marks. */
  text: string;
  /** The same of its tables, a line a row. */
  table: string;
  /** What stands in its blocks of code. */
  code: string;
}

/** Cuts an article at its headings of the second and third level; lines of code are no headings. */
export function passagesOf(markdown: string): Passage[] {
  const anchor = anchorGiver();
  const passages: Passage[] = [{ anchor: '', heading: '', text: '', table: '', code: '' }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{2,3} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      const plain = withoutMarks(heading);
      passages.push({ anchor: anchor(plain), heading: plain, text: '', table: '', code: '' });
      continue;
    }
    const last = passages.at(-1);
    if (!last || line.startsWith('```')) continue;
    if (isCode) last.code += `${line}\n`;
    else if (line.startsWith('|')) last.table += `${withoutMarks(line)}\n`;
    else if (!line.startsWith('# ')) last.text += `${withoutMarks(line)}\n`;
  }
  return passages
    .map(({ text, table, code, ...passage }) => ({
      ...passage,
      text: withoutEmptyLines(text),
      table: withoutEmptyLines(table),
      code: code.trim(),
    }))
    .filter(({ text, table, code }) => text !== '' || table !== '' || code !== '');
}

const withoutEmptyLines = (text: string) => text.replaceAll(/\n{2,}/g, '\n').trim();

function withoutMarks(line: string): string {
  return line
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/^(?:- |\d+\. )/g, '')
    .replaceAll(/^\|[\s|:-]+\|$/g, '')
    .replaceAll(/^\| ?| ?\|$/g, '')
    .replaceAll(' | ', ': ');
}

import { anchorGiver } from './anchors.ts';

/** A part of an article, from one heading to the next. */
export interface Passage {
  /** Empty: what stands before the first heading. */
  anchor: string;
  heading: string;
  /** Without Markdown's marks. */
  text: string;
  /** What stands in its blocks of code. */
  code: string;
}

/** Cuts an article at its headings of the second and third level; lines of code are no headings. */
export function passagesOf(markdown: string): Passage[] {
  const anchor = anchorGiver();
  const passages: Passage[] = [{ anchor: '', heading: '', text: '', code: '' }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{2,3} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      const plain = withoutMarks(heading);
      passages.push({ anchor: anchor(plain), heading: plain, text: '', code: '' });
      continue;
    }
    const last = passages.at(-1);
    if (!last || line.startsWith('```')) continue;
    if (isCode) last.code += `${line}\n`;
    else if (!line.startsWith('# ')) last.text += `${withoutMarks(line)}\n`;
  }
  return passages
    .map(({ text, code, ...passage }) => ({
      ...passage,
      text: text.replaceAll(/\n{2,}/g, '\n').trim(),
      code: code.trim(),
    }))
    .filter(({ text, code }) => text !== '' || code !== '');
}

function withoutMarks(line: string): string {
  return line
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/^(?:- |\d+\. )/g, '')
    .replaceAll(/^\|[\s|:-]+\|$/g, '')
    .replaceAll(/^\| ?| ?\|$/g, '')
    .replaceAll(' | ', ': ');
}

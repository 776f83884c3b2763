import type { SampleRequest } from './sample-request.ts';

/** An article as the console shows it: made from its Markdown when the console is built. */
export interface Article {
  slug: string;
  title: string;
  blocks: Block[];
}

export type Block =
  | { kind: 'heading'; level: 2 | 3; anchor: string; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  /** Text as it stands: a shape, an answer, lines of a shell that are no single request. */
  | { kind: 'code'; language: string; code: string }
  /** A request, which is shown in several languages with the reader's own values. */
  | { kind: 'sample'; request: SampleRequest };

export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; text: Inline[] }
  /** An article by its slug. */
  | { kind: 'article'; slug: string; anchor: string; text: Inline[] }
  | { kind: 'link'; href: string; text: Inline[] };

/** The characters without their marks. */
export function plainText(text: Inline[]): string {
  return text
    .map((one) =>
      typeof one === 'string' ? one : typeof one.text === 'string' ? one.text : plainText(one.text),
    )
    .join('');
}

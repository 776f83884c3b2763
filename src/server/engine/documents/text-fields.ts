/** The texts of a document: every string and every string in a list, each with the path of its field, in the document's order. */
import type { Steps } from '../steps.ts';
import { walkAtOnce, walkDocument } from './walk-document.ts';

export interface FieldText {
  path: string;
  text: string;
}

export function* fieldTexts(document: Record<string, unknown>): Steps<FieldText[]> {
  const texts: FieldText[] = [];
  yield* walkDocument(document, (path, value) => {
    if (typeof value === 'string') texts.push({ path, text: value });
  });
  return texts;
}

/** The texts of some fields, by path, in the document's order; `paths` null: of all. */
export function* textsByField(
  document: Record<string, unknown>,
  paths: readonly string[] | null,
): Steps<Map<string, string[]>> {
  const texts = new TextsByField(paths);
  yield* walkDocument(document, texts.take, texts.isWanted);
  return texts.byField;
}

/** The same in one go, of a small document. */
export function textsAtOnce(
  document: Record<string, unknown>,
  paths: readonly string[] | null,
): Map<string, string[]> {
  const texts = new TextsByField(paths);
  walkAtOnce(document, texts.take, texts.isWanted);
  return texts.byField;
}

class TextsByField {
  readonly byField = new Map<string, string[]>();
  readonly #paths: readonly string[] | null;

  constructor(paths: readonly string[] | null) {
    this.#paths = paths;
  }

  readonly take = (path: string, value: unknown): void => {
    if (typeof value !== 'string' || this.#paths?.includes(path) === false) return;
    const known = this.byField.get(path);
    if (known === undefined) this.byField.set(path, [value]);
    else known.push(value);
  };

  readonly isWanted = (name: string): boolean =>
    this.#paths === null || this.#paths.some((path) => isAtOrBelow(path, name));
}

/** A key may hold dots itself: `a.b.c` can be the key `c` in `a.b`. */
function isAtOrBelow(path: string, name: string): boolean {
  return path.startsWith(name) && (path.length === name.length || path[name.length] === '.');
}

/** Names of the text fields, each once, in the document's order: what the first number of a passage's span counts. */
export function* textFieldNames(document: Record<string, unknown>): Steps<string[]> {
  return [...new Set((yield* fieldTexts(document)).map((each) => each.path))];
}

import { forbiddenKeys } from './json.ts';

type Fields = Record<string, unknown>;

/** Makes a value of what a reader finds in a JSON text, as `JSON.parse` would. Names and texts come in the order of the text. */
export class JsonBuilder {
  /** What is open around the innermost. */
  readonly #around: (unknown[] | Fields | null)[] = [];
  #into: unknown[] | Fields | null = null;
  #key = '';
  #value: unknown;
  /** Something in it is forbidden, unless a later field of the same name has taken its place. */
  mayBeForbidden = false;

  get value(): unknown {
    return this.#value;
  }

  /** `isOdd`: it may hold U+0000, or half of a surrogate pair. */
  key(key: string, isOdd: boolean): void {
    if (forbiddenKeys.has(key) || (isOdd && isForbiddenText(key))) this.mayBeForbidden = true;
    this.#key = key;
  }

  text(text: string, isOdd: boolean): void {
    if (isOdd && isForbiddenText(text)) this.mayBeForbidden = true;
    this.#add(text);
  }

  number(value: number): void {
    if (!Number.isFinite(value)) this.mayBeForbidden = true;
    this.#add(value);
  }

  word(value: boolean | null): void {
    this.#add(value);
  }

  open(isObject: boolean): void {
    const made = isObject ? {} : [];
    this.#add(made);
    this.#around.push(this.#into);
    this.#into = made;
  }

  close(): void {
    this.#into = this.#around.pop() ?? null;
  }

  #add(value: unknown): void {
    const into = this.#into;
    if (into === null) this.#value = value;
    else if (Array.isArray(into)) into.push(value);
    else if (this.#key !== '__proto__') into[this.#key] = value;
    // An assignment would reach the prototype.
    else
      Object.defineProperty(into, this.#key, { value, enumerable: true, configurable: true, writable: true });
  }
}

function isForbiddenText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed();
}

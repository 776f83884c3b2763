import { forbiddenKeys } from './json.ts';

type Fields = Record<string, unknown>;

/** What is open: an object, a list of numbers, or where the items of another list begin. */
type Open = Fields | unknown[] | number;

/**
 * Makes a value of what a reader finds in a JSON text, as `JSON.parse` would. Names and texts come in the order of the text. A list is made when it
 * is over, as long as it is: one that grows has room for 17 items from the first on, which garbage collection moves with it.
 */
export class JsonBuilder {
  /** What is open, the innermost last. */
  readonly #open: Open[] = [];
  /** Of each of these its name in the object around it. */
  readonly #keys: string[] = [];
  /** Items of open lists; what is behind the first `#count` is left over. */
  readonly #items: unknown[] = [];
  #count = 0;
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
    // Numbers in a list of their own take a third of what they take among other values.
    if (this.#open.at(-1) === this.#count) this.#open[this.#open.length - 1] = [];
    this.#add(value);
  }

  word(value: boolean | null): void {
    this.#add(value);
  }

  open(isObject: boolean): void {
    this.#open.push(isObject ? {} : this.#count);
    this.#keys.push(this.#key);
  }

  close(): void {
    const open = this.#open.pop();
    this.#key = this.#keys.pop() ?? '';
    if (open !== undefined) this.#add(typeof open === 'number' ? this.#takeItems(open) : open);
  }

  #takeItems(from: number): unknown[] {
    const items = this.#items.slice(from, this.#count);
    this.#count = from;
    return items;
  }

  #add(value: unknown): void {
    const into = this.#open.at(-1);
    if (into === undefined) this.#value = value;
    else if (typeof into === 'number') {
      this.#items[this.#count] = value;
      this.#count += 1;
    } else if (Array.isArray(into)) into.push(value);
    else if (this.#key !== '__proto__') into[this.#key] = value;
    // An assignment would reach the prototype.
    else
      Object.defineProperty(into, this.#key, { value, enumerable: true, configurable: true, writable: true });
  }
}

function isForbiddenText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed();
}

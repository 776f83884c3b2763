import type { Tokenizer } from './onnx-packages.ts';

interface Limits {
  tokensMax: number;
  isLowerCased: boolean;
}

/** Texts as ids of tokens, special ones around them as the model has learnt: no more than it reads, cut at the end of the text's own. */
export class TextTokens {
  readonly #tokenizer: Tokenizer;
  readonly #limits: Limits;
  readonly #before: number[];
  readonly #after: number[];

  /** @throws Error its special tokens cannot be told from a text's own */
  constructor(tokenizer: Tokenizer, limits: Limits) {
    this.#tokenizer = tokenizer;
    this.#limits = limits;
    const own = tokenizer.encode('a', { add_special_tokens: false }).ids;
    const all = tokenizer.encode('a', { add_special_tokens: true }).ids;
    const at = all.findIndex((_, i) => own.every((id, place) => all[i + place] === id));
    if (own.length === 0 || at < 0) throw new Error('its tokenizer does not read the letter "a"');
    this.#before = all.slice(0, at);
    this.#after = all.slice(at + own.length);
  }

  /** Empty: the text has nothing that is read. */
  idsOf(text: string): number[] {
    const { tokensMax, isLowerCased } = this.#limits;
    const given = isLowerCased ? text.toLowerCase() : text;
    // Of a token that is not in its vocabulary there is no id where the model has none for such.
    const own = this.#tokenizer.encode(given, { add_special_tokens: false }).ids.filter(Number.isInteger);
    if (own.length === 0) return [];
    const room = Math.max(1, tokensMax - this.#before.length - this.#after.length);
    return [...this.#before, ...own.slice(0, room), ...this.#after];
  }
}

import type { Diagnostic } from '../types.ts';

/**
 * Reads a text that a person wrote from left to right, for the parsers of filters, sort keys, facets and vector queries. Never throws: a
 * production that fails records a fault and answers null. Only the first fault counts, so that a caller may also read on.
 */
export class TextCursor {
  readonly text: string;
  at = 0;
  fault: Diagnostic | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next unit, '' at the end. */
  peek(): string {
    return this.text.charAt(this.at);
  }

  skipSpace(): void {
    while (space.test(this.peek())) this.at += 1;
  }

  /** Steps over a token if it is next. */
  accept(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  acceptAfterSpace(token: string): boolean {
    this.skipSpace();
    return this.accept(token);
  }

  /** What a sticky pattern matches here; null: it does not. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  /** The text up to the next match of a global pattern or the end, trimmed. */
  until(end: RegExp): string {
    this.skipSpace();
    end.lastIndex = this.at;
    const stop = end.exec(this.text)?.index ?? this.text.length;
    const text = this.text.slice(this.at, stop).trim();
    this.at = stop;
    return text;
  }

  fail(message: string, position = this.at): null {
    this.fault ??= { position: Math.min(position, this.text.length), message };
    return null;
  }
}

const space = /\s/;

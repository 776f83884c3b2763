import type { Diagnostic, WrittenVectorQuery } from '../types.ts';
import { TextCursor } from './text-cursor.ts';

const numberPattern = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const namePattern = /[A-Za-z_][\w.]*/y;
const quotedPattern = /"(?:[^"\\]|\\.)*"/suy;

/**
 * Reads the text form of `vector_query`. Never throws; `query` is null where there is a fault.
 *
 * ```ebnf
 * query   = numbers | "{" , [ options ] , "}" | "embedding" , ":" , "(" , [ numbers , [ "," , options ] | options ] , ")" ;
 * numbers = "[" , [ number , { "," , number } ] , "]" ;
 * options = option , { "," , option } ;
 * option  = name , ":" , ( numbers | number | id ) ;   (* vector, k, distance_threshold or id; a name may stand in double quotes *)
 * id      = '"' … '"' | any text up to "," , ")" or "}" ;   (* in quotes a backslash takes the next character as it is *)
 * ```
 *
 * White space between tokens is free. At most `numbersMax` numbers.
 */
export function parseVectorQuery(
  text: string,
  numbersMax: number,
): { query: WrittenVectorQuery | null; diagnostics: Diagnostic[] } {
  const parser = new Parser(text, numbersMax);
  const query = parser.parse();
  const { fault } = parser.cursor;
  return fault === null ? { query, diagnostics: [] } : { query: null, diagnostics: [fault] };
}

/** Reads on after a fault, which is kept; every loop ends at one. */
class Parser {
  readonly cursor: TextCursor;
  readonly #numbersMax: number;
  readonly #query: WrittenVectorQuery = { vector: null, k: null, distanceThreshold: null };

  constructor(text: string, numbersMax: number) {
    this.cursor = new TextCursor(text);
    this.#numbersMax = numbersMax;
  }

  parse(): WrittenVectorQuery {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.peek() === '[') this.#query.vector = this.#numbers();
    else if (cursor.accept('{')) this.#options('}');
    else this.#call();
    cursor.skipSpace();
    if (!cursor.isAtEnd) cursor.fail('expected the end');
    return this.#query;
  }

  #call(): void {
    const { cursor } = this;
    const start = cursor.at;
    const name = cursor.match(namePattern);
    if (name === null) cursor.fail('expected "embedding:([…], k:…)" or a list of numbers in brackets');
    else if (name !== 'embedding') cursor.fail('expected "embedding", the only vector field', start);
    this.#expect(':');
    this.#expect('(');
    cursor.skipSpace();
    if (cursor.peek() === '[') this.#query.vector = this.#numbers();
    this.#options(')');
  }

  /** Up to the closing mark. Behind a vector each stands after a comma. */
  #options(close: string): void {
    const { cursor } = this;
    let isFirst = this.#query.vector === null;
    while (cursor.fault === null && !cursor.acceptAfterSpace(close)) {
      if (!isFirst) this.#expect(',');
      isFirst = false;
      this.#option();
    }
  }

  #option(): void {
    const { cursor } = this;
    cursor.skipSpace();
    const isQuoted = cursor.accept('"');
    const start = cursor.at;
    const name = cursor.match(namePattern);
    if (isQuoted) this.#expect('"');
    this.#expect(':');
    if (name === 'vector') this.#query.vector = this.#numbers();
    else if (name === 'k') this.#query.k = this.#number();
    else if (name === 'distance_threshold') this.#query.distanceThreshold = this.#number();
    else if (name === 'id') this.#query.id = this.#id();
    else cursor.fail('expected vector, k, distance_threshold or id', start);
  }

  #id(): string {
    const { cursor } = this;
    cursor.skipSpace();
    const start = cursor.at;
    const quoted = cursor.match(quotedPattern);
    const id = quoted === null ? cursor.until(/[,)}]/g) : quoted.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
    if (id === '') cursor.fail('expected the id of a document', start);
    return id;
  }

  #numbers(): number[] {
    const { cursor } = this;
    const numbers: number[] = [];
    this.#expect('[');
    if (cursor.acceptAfterSpace(']')) return numbers;
    do {
      const number = this.#number();
      if (number === null) break;
      numbers.push(number);
      if (numbers.length > this.#numbersMax) cursor.fail(`expected at most ${this.#numbersMax} numbers`);
    } while (cursor.fault === null && cursor.acceptAfterSpace(','));
    this.#expect(']');
    return numbers;
  }

  #number(): number | null {
    this.cursor.skipSpace();
    const text = this.cursor.match(numberPattern);
    return text === null ? this.cursor.fail('expected a number') : Number(text);
  }

  #expect(mark: string): void {
    if (!this.cursor.acceptAfterSpace(mark)) this.cursor.fail(`expected "${mark}"`);
  }
}

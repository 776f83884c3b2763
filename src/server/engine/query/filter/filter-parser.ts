import type { Diagnostic } from '../../types.ts';
import type { FilterClause, FilterNode, FilterOperand, FilterValue } from './filter-ast.ts';

/**
 * Reads `filter_by`. Never throws; one pass, so linear in the text; stops at the first fault and says where and what was expected.
 *
 * ```ebnf
 * filter   = or ;
 * or       = and , { "||" , and } ;
 * and      = unary , { "&&" , unary } ;                      (* binds tighter than "||" *)
 * unary    = "!" , unary | "(" , or , ")" | clause ;
 * clause   = path , ":" , "*"                                (* the field is there *)
 *          | path , ( ":" | ":=" | ":!=" ) , ( operand | list )
 *          | path , ( ":>" | ":>=" | ":<" | ":<=" ) , value ;
 * list     = "[" , element , { "," , element } , "]" ;
 * element  = operand | range ;
 * range    = value , ".." , [ value ] | ".." , value ;       (* both ends included *)
 * operand  = value , [ "*" ] ;                               (* a star: begins with *)
 * path     = plain path | quoted ;                           (* dots go into objects *)
 * value    = plain value | quoted ;
 * quoted   = '"' … '"' | "'" … "'" | "`" … "`" ;
 * ```
 *
 * White space between tokens is free. In double and single quotes a backslash takes the next character as it is (`\"`, `\\`); between
 * backticks everything is as it is and two backticks are one. A plain path ends at white space and at any of `: ( ) [ ] , ! & | < > = " ' \``.
 * A plain value may hold single spaces and ends at `&&`, `||`, `(`, `)`, `[`, `]`, in a list also at `,` and `..`; a backslash in it is
 * a backslash. `:!=*` and `:=*` are "is not there" and "is there". `id` is the document's id, compared as it is.
 * Limits: `filterLimits`.
 */
export const filterLimits = { characters: 65_536, conditions: 1_000, depth: 100 } as const;

/** `filter` is null where the text is empty (no diagnostics) or faulty (one diagnostic). */
export function parseFilter(text: string): { filter: FilterNode | null; diagnostics: Diagnostic[] } {
  if (text.length > filterLimits.characters) {
    const message = `expected at most ${filterLimits.characters} characters`;
    return { filter: null, diagnostics: [{ position: filterLimits.characters, message }] };
  }
  if (text.trim() === '') return { filter: null, diagnostics: [] };
  const parser = new Parser(text);
  const filter = parser.parse();
  return parser.fault === null ? { filter, diagnostics: [] } : { filter: null, diagnostics: [parser.fault] };
}

const pathEnd = /[\s:()[\],!&|<>="'`]/;
const space = /\s/;
/** The part of a time of day before one of its colons. */
const timeBeforeColon = /^\d{1,2}(?::\d{1,2})?$/;
const timeCharactersMax = 5;
const notValueStart = /[!<>=*]/;

/** Recursive descent. A production that fails records the fault once and answers null; its callers pass the null on. */
class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #conditions = 0;
  fault: Diagnostic | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): FilterNode | null {
    const node = this.#or();
    if (node === null) return null;
    this.#skipSpace();
    if (this.#at === this.#text.length) return node;
    if (this.#peek() === ')') return this.#fail('expected the end: this ")" closes nothing');
    return this.#fail(
      'expected && or || or the end; a value that holds brackets, && or || is written in quotes',
    );
  }

  #or(): FilterNode | null {
    return this.#chain('or', '||', () => this.#chain('and', '&&', () => this.#unary()));
  }

  #chain(kind: 'and' | 'or', operator: string, operand: () => FilterNode | null): FilterNode | null {
    const children: FilterNode[] = [];
    do {
      const child = operand();
      if (child === null) return null;
      children.push(child);
      this.#skipSpace();
    } while (this.#accept(operator));
    const [only] = children;
    return children.length === 1 && only !== undefined ? only : { kind, children };
  }

  #unary(): FilterNode | null {
    this.#skipSpace();
    const opened = this.#at;
    const isNot = this.#accept('!');
    if (!isNot && !this.#accept('(')) return this.#clause();
    if (++this.#depth > filterLimits.depth) {
      return this.#fail(`expected at most ${filterLimits.depth} levels of parentheses and !`, opened);
    }
    const inner = isNot ? this.#unary() : this.#or();
    if (inner === null) return null;
    this.#depth--;
    if (isNot) return { kind: 'not', child: inner };
    this.#skipSpace();
    return this.#accept(')')
      ? inner
      : this.#fail(`expected && or || or ")" for the "(" at position ${opened}`);
  }

  #clause(): FilterNode | null {
    const position = this.#at;
    const path = this.#path();
    if (path === null) return null;
    this.#skipSpace();
    if (!this.#accept(':')) return this.#fail('expected ":" after the field name');
    const operator = ['!=', '>=', '<=', '=', '>', '<'].find((candidate) => this.#accept(candidate)) ?? '';
    this.#skipSpace();
    if (operator === '>' || operator === '>=' || operator === '<' || operator === '<=') {
      if (!this.#countCondition(position)) return null;
      const value = this.#value(false);
      return value && { kind: 'compare', path, position, operator, value };
    }
    if (this.#isLoneStar()) {
      if (!this.#countCondition(position)) return null;
      this.#at++;
      const exists: FilterClause = { kind: 'exists', path, position };
      return operator === '!=' ? { kind: 'not', child: exists } : exists;
    }
    const operands = this.#accept('[') ? this.#list() : this.#single();
    const match = operator === '!=' ? ':!=' : operator === '=' ? ':=' : ':';
    return operands && { kind: 'match', path, position, operator: match, operands };
  }

  #path(): string | null {
    const start = this.#at;
    if (this.#isQuote()) {
      const quoted = this.#quoted();
      return quoted === '' ? this.#fail('expected a field name', start) : quoted;
    }
    while (this.#at < this.#text.length && !pathEnd.test(this.#peek())) this.#at++;
    if (this.#at > start) return this.#text.slice(start, this.#at);
    return this.#fail('expected a field name, "(" or "!"');
  }

  #single(): FilterOperand[] | null {
    if (!this.#countCondition(this.#at)) return null;
    const operand = this.#operand(false);
    return operand && [operand];
  }

  #list(): FilterOperand[] | null {
    const operands: FilterOperand[] = [];
    do {
      this.#skipSpace();
      if (!this.#countCondition(this.#at)) return null;
      const element = this.#element();
      if (element === null) return null;
      operands.push(element);
      this.#skipSpace();
    } while (this.#accept(','));
    return this.#accept(']') ? operands : this.#fail('expected "," or "]"');
  }

  #element(): FilterOperand | null {
    if (this.#accept('..')) return this.#rangeTo(null);
    const operand = this.#operand(true);
    if (operand?.kind !== 'value') return operand;
    this.#skipSpace();
    const dots = this.#at;
    if (!this.#accept('..')) return operand;
    if (operand.isPrefix) return this.#fail('expected "," or "]": a range has no prefixes', dots);
    return this.#rangeTo(operand.value);
  }

  #rangeTo(from: FilterValue | null): FilterOperand | null {
    this.#skipSpace();
    if (from !== null && (this.#peek() === ']' || this.#peek() === ','))
      return { kind: 'range', from, to: null };
    const to = this.#value(true);
    return to && { kind: 'range', from, to };
  }

  #operand(isInList: boolean): FilterOperand | null {
    const isQuoted = this.#isQuote();
    const value = this.#value(isInList);
    if (value === null) return null;
    if (isQuoted) return { kind: 'value', value, isPrefix: this.#accept('*') };
    if (!value.text.endsWith('*')) return { kind: 'value', value, isPrefix: false };
    const text = value.text.slice(0, -1);
    return { kind: 'value', value: { ...value, text }, isPrefix: true };
  }

  #value(isInList: boolean): FilterValue | null {
    const position = this.#at;
    const text = this.#isQuote() ? this.#quoted() : this.#plainValue(isInList);
    return text === null ? null : { text, position };
  }

  /** Up to the next operator or bracket. A further `field:` inside means that an operator was forgotten. */
  #plainValue(isInList: boolean): string | null {
    const start = this.#at;
    if (notValueStart.test(this.#peek())) {
      return this.#fail(
        'expected a value; "!" stands before the field, "*" after the value, others in quotes',
      );
    }
    let word = start;
    let end = start;
    while (this.#at < this.#text.length && !this.#endsValue(isInList)) {
      const unit = this.#peek();
      if (unit === ':' && word > start && !this.#isTimeSince(word)) {
        return this.#fail(
          `expected && or || before this field; a value with ":" in it is written in quotes`,
          word,
        );
      }
      this.#at++;
      if (space.test(unit)) word = this.#at;
      else end = this.#at;
    }
    this.#at = end;
    return end > start ? this.#text.slice(start, end) : this.#fail('expected a value');
  }

  #isTimeSince(word: number): boolean {
    if (this.#at - word > timeCharactersMax) return false;
    return timeBeforeColon.test(this.#text.slice(word, this.#at));
  }

  #endsValue(isInList: boolean): boolean {
    const unit = this.#peek();
    if (unit === '(' || unit === ')' || unit === '[' || unit === ']') return true;
    if (unit === '&' || unit === '|') return this.#text[this.#at + 1] === unit;
    return isInList && (unit === ',' || (unit === '.' && this.#text[this.#at + 1] === '.'));
  }

  #quoted(): string | null {
    const opened = this.#at;
    const quote = this.#peek();
    this.#at++;
    const parts: string[] = [];
    let from = this.#at;
    while (this.#at < this.#text.length) {
      const unit = this.#peek();
      if (unit === '\\' && quote !== '`') {
        parts.push(this.#text.slice(from, this.#at));
        from = this.#at + 1;
        this.#at += 2;
      } else if (unit !== quote) {
        this.#at++;
      } else if (quote === '`' && this.#text[this.#at + 1] === '`') {
        parts.push(this.#text.slice(from, this.#at + 1));
        this.#at += 2;
        from = this.#at;
      } else {
        parts.push(this.#text.slice(from, this.#at));
        this.#at++;
        return parts.join('');
      }
    }
    return this.#fail(`expected a closing ${quote} for the one at position ${opened}`, this.#text.length);
  }

  /** A star that stands for the whole value. */
  #isLoneStar(): boolean {
    if (this.#peek() !== '*') return false;
    const rest = this.#text.slice(this.#at + 1, this.#at + 3);
    if (rest === '' || rest === '&&' || rest === '||' || rest.startsWith(')')) return true;
    // After white space only an operator, a bracket or the end may follow; anything else is a fault that the caller names.
    return space.test(rest[0] ?? '');
  }

  #countCondition(position: number): boolean {
    if (++this.#conditions <= filterLimits.conditions) return true;
    this.#fail(`expected at most ${filterLimits.conditions} conditions`, position);
    return false;
  }

  #isQuote(): boolean {
    const unit = this.#peek();
    return unit === '"' || unit === "'" || unit === '`';
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #accept(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && space.test(this.#peek())) this.#at++;
  }

  #fail(message: string, position = this.#at): null {
    this.fault ??= { position: Math.min(position, this.#text.length), message };
    return null;
  }
}

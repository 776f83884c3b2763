import type { Diagnostic } from '../../types.ts';
import { parseArea } from '../geo/area-parser.ts';
import { TextCursor } from '../text-cursor.ts';
import type { FilterClause, FilterNode, FilterOperand, FilterValue } from './filter-ast.ts';

/** How long a text may be is for the edge to say. */
export const filterLimits = { conditions: 1_000, depth: 100 } as const;

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
 *          | path , ":" , "(" , point , "," , number , ( "km" | "mi" | "m" ) , ")"      (* not farther than that *)
 *          | path , ":" , "(" , point , { "," , point } , ")"                           (* inside the polygon *)
 *          | path , ( ":>" | ":>=" | ":<" | ":<=" ) , value ;
 * point    = number , "," , number ;                       (* latitude, longitude *)
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
 *
 * `filter` is null where the text is empty (no diagnostics) or faulty (one diagnostic).
 */
export function parseFilter(text: string): { filter: FilterNode | null; diagnostics: Diagnostic[] } {
  if (text.trim() === '') return { filter: null, diagnostics: [] };
  const cursor = new TextCursor(text);
  const filter = new Parser(cursor).parse();
  return cursor.fault === null ? { filter, diagnostics: [] } : { filter: null, diagnostics: [cursor.fault] };
}

const pathEnd = /[\s:()[\],!&|<>="'`]/;
const space = /\s/;
/** The part of a time of day before one of its colons. */
const timeBeforeColon = /^\d{1,2}(?::\d{1,2})?$/;
const timeCharactersMax = 5;
const notValueStart = /[!<>=*]/;

/** Recursive descent. A production that fails records the fault and answers null; its callers pass the null on. */
class Parser {
  readonly #cursor: TextCursor;
  #depth = 0;
  #conditions = 0;

  constructor(cursor: TextCursor) {
    this.#cursor = cursor;
  }

  parse(): FilterNode | null {
    const node = this.#or();
    if (node === null) return null;
    this.#cursor.skipSpace();
    if (this.#cursor.isAtEnd) return node;
    if (this.#cursor.peek() === ')') return this.#cursor.fail('expected the end: this ")" closes nothing');
    return this.#cursor.fail(
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
      this.#cursor.skipSpace();
    } while (this.#cursor.accept(operator));
    const [only] = children;
    return children.length === 1 && only !== undefined ? only : { kind, children };
  }

  #unary(): FilterNode | null {
    this.#cursor.skipSpace();
    const opened = this.#cursor.at;
    const isNot = this.#cursor.accept('!');
    if (!isNot && !this.#cursor.accept('(')) return this.#clause();
    if (++this.#depth > filterLimits.depth) {
      return this.#cursor.fail(`expected at most ${filterLimits.depth} levels of parentheses and !`, opened);
    }
    const inner = isNot ? this.#unary() : this.#or();
    if (inner === null) return null;
    this.#depth--;
    if (isNot) return { kind: 'not', child: inner };
    this.#cursor.skipSpace();
    return this.#cursor.accept(')')
      ? inner
      : this.#cursor.fail(`expected && or || or ")" for the "(" at position ${opened}`);
  }

  #clause(): FilterNode | null {
    const position = this.#cursor.at;
    const path = this.#path();
    if (path === null) return null;
    this.#cursor.skipSpace();
    if (!this.#cursor.accept(':')) return this.#cursor.fail('expected ":" after the field name');
    const operator =
      ['!=', '>=', '<=', '=', '>', '<'].find((candidate) => this.#cursor.accept(candidate)) ?? '';
    this.#cursor.skipSpace();
    if (operator === '>' || operator === '>=' || operator === '<' || operator === '<=') {
      if (!this.#countCondition(position)) return null;
      const value = this.#value(false);
      return value && { kind: 'compare', path, position, operator, value };
    }
    if (this.#isLoneStar()) {
      if (!this.#countCondition(position)) return null;
      this.#cursor.at += 1;
      const exists: FilterClause = { kind: 'exists', path, position };
      return operator === '!=' ? { kind: 'not', child: exists } : exists;
    }
    if (operator === '' && this.#cursor.accept('(')) {
      if (!this.#countCondition(position)) return null;
      const area = parseArea(this.#cursor);
      return area && { kind: 'within', path, position, area };
    }
    const operands = this.#cursor.accept('[') ? this.#list() : this.#single();
    const match = operator === '!=' ? ':!=' : operator === '=' ? ':=' : ':';
    return operands && { kind: 'match', path, position, operator: match, operands };
  }

  #path(): string | null {
    const start = this.#cursor.at;
    if (this.#isQuote()) {
      const quoted = this.#quoted();
      return quoted === '' ? this.#cursor.fail('expected a field name', start) : quoted;
    }
    while (!this.#cursor.isAtEnd && !pathEnd.test(this.#cursor.peek())) this.#cursor.at += 1;
    if (this.#cursor.at > start) return this.#cursor.text.slice(start, this.#cursor.at);
    return this.#cursor.fail('expected a field name, "(" or "!"');
  }

  #single(): FilterOperand[] | null {
    if (!this.#countCondition(this.#cursor.at)) return null;
    const operand = this.#operand(false);
    return operand && [operand];
  }

  #list(): FilterOperand[] | null {
    const operands: FilterOperand[] = [];
    do {
      this.#cursor.skipSpace();
      if (!this.#countCondition(this.#cursor.at)) return null;
      const element = this.#element();
      if (element === null) return null;
      operands.push(element);
      this.#cursor.skipSpace();
    } while (this.#cursor.accept(','));
    return this.#cursor.accept(']') ? operands : this.#cursor.fail('expected "," or "]"');
  }

  #element(): FilterOperand | null {
    if (this.#cursor.accept('..')) return this.#rangeTo(null);
    const operand = this.#operand(true);
    if (operand?.kind !== 'value') return operand;
    this.#cursor.skipSpace();
    const dots = this.#cursor.at;
    if (!this.#cursor.accept('..')) return operand;
    if (operand.isPrefix) return this.#cursor.fail('expected "," or "]": a range has no prefixes', dots);
    return this.#rangeTo(operand.value);
  }

  #rangeTo(from: FilterValue | null): FilterOperand | null {
    this.#cursor.skipSpace();
    if (from !== null && (this.#cursor.peek() === ']' || this.#cursor.peek() === ','))
      return { kind: 'range', from, to: null };
    const to = this.#value(true);
    return to && { kind: 'range', from, to };
  }

  #operand(isInList: boolean): FilterOperand | null {
    const isQuoted = this.#isQuote();
    const value = this.#value(isInList);
    if (value === null) return null;
    if (isQuoted) return { kind: 'value', value, isPrefix: this.#cursor.accept('*') };
    if (!value.text.endsWith('*')) return { kind: 'value', value, isPrefix: false };
    const text = value.text.slice(0, -1);
    return { kind: 'value', value: { ...value, text }, isPrefix: true };
  }

  #value(isInList: boolean): FilterValue | null {
    const position = this.#cursor.at;
    const text = this.#isQuote() ? this.#quoted() : this.#plainValue(isInList);
    return text === null ? null : { text, position };
  }

  /** Up to the next operator or bracket. A further `field:` inside means that an operator was forgotten. */
  #plainValue(isInList: boolean): string | null {
    const start = this.#cursor.at;
    if (notValueStart.test(this.#cursor.peek())) {
      return this.#cursor.fail(
        'expected a value; "!" stands before the field, "*" after the value, others in quotes',
      );
    }
    let word = start;
    let end = start;
    while (!this.#cursor.isAtEnd && !this.#endsValue(isInList)) {
      const unit = this.#cursor.peek();
      if (unit === ':' && word > start && !this.#isTimeSince(word)) {
        return this.#cursor.fail(
          `expected && or || before this field; a value with ":" in it is written in quotes`,
          word,
        );
      }
      this.#cursor.at += 1;
      if (space.test(unit)) word = this.#cursor.at;
      else end = this.#cursor.at;
    }
    this.#cursor.at = end;
    return end > start ? this.#cursor.text.slice(start, end) : this.#cursor.fail('expected a value');
  }

  #isTimeSince(word: number): boolean {
    if (this.#cursor.at - word > timeCharactersMax) return false;
    return timeBeforeColon.test(this.#cursor.text.slice(word, this.#cursor.at));
  }

  #endsValue(isInList: boolean): boolean {
    const unit = this.#cursor.peek();
    if (unit === '(' || unit === ')' || unit === '[' || unit === ']') return true;
    if (unit === '&' || unit === '|') return this.#cursor.text[this.#cursor.at + 1] === unit;
    return isInList && (unit === ',' || (unit === '.' && this.#cursor.text[this.#cursor.at + 1] === '.'));
  }

  #quoted(): string | null {
    const opened = this.#cursor.at;
    const quote = this.#cursor.peek();
    this.#cursor.at += 1;
    const parts: string[] = [];
    let from = this.#cursor.at;
    while (!this.#cursor.isAtEnd) {
      const unit = this.#cursor.peek();
      if (unit === '\\' && quote !== '`') {
        parts.push(this.#cursor.text.slice(from, this.#cursor.at));
        from = this.#cursor.at + 1;
        this.#cursor.at += 2;
      } else if (unit !== quote) {
        this.#cursor.at += 1;
      } else if (quote === '`' && this.#cursor.text[this.#cursor.at + 1] === '`') {
        parts.push(this.#cursor.text.slice(from, this.#cursor.at + 1));
        this.#cursor.at += 2;
        from = this.#cursor.at;
      } else {
        parts.push(this.#cursor.text.slice(from, this.#cursor.at));
        this.#cursor.at += 1;
        return parts.join('');
      }
    }
    return this.#cursor.fail(
      `expected a closing ${quote} for the one at position ${opened}`,
      this.#cursor.text.length,
    );
  }

  /** A star that stands for the whole value. */
  #isLoneStar(): boolean {
    if (this.#cursor.peek() !== '*') return false;
    const rest = this.#cursor.text.slice(this.#cursor.at + 1, this.#cursor.at + 3);
    if (rest === '' || rest === '&&' || rest === '||' || rest.startsWith(')')) return true;
    // After white space only an operator, a bracket or the end may follow; anything else is a fault that the caller names.
    return space.test(rest[0] ?? '');
  }

  #countCondition(position: number): boolean {
    if (++this.#conditions <= filterLimits.conditions) return true;
    this.#cursor.fail(`expected at most ${filterLimits.conditions} conditions`, position);
    return false;
  }

  #isQuote(): boolean {
    const unit = this.#cursor.peek();
    return unit === '"' || unit === "'" || unit === '`';
  }
}

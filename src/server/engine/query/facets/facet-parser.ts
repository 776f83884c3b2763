import type { Diagnostic, FacetRequest } from '../../types.ts';
import { asDateSpan } from '../filter/filter-value.ts';

/**
 * Reads `facet_by`. Never throws; requests are empty where there is a fault.
 *
 * ```ebnf
 * facets = facet , { "," , facet } ;
 * facet  = field , [ "(" , range , { "," , range } , ")" ] ;
 * range  = label , ":" , "[" , [ bound ] , ".." , [ bound ] , "]" ;   (* the end is excluded *)
 * bound  = number | ISO 8601 date ;                                   (* a date is its first second *)
 * ```
 *
 * White space between tokens is free; a label may hold spaces. At most `facetLimits`.
 */
export const facetLimits = { facets: 50, ranges: 100 } as const;

export function parseFacets(spec: string): { requests: FacetRequest[]; diagnostics: Diagnostic[] } {
  const requests: FacetRequest[] = [];
  if (spec.trim() === '') return { requests, diagnostics: [] };
  const scanner = new Scanner(spec);
  do {
    if (requests.length === facetLimits.facets) scanner.fail(`expected at most ${facetLimits.facets} facets`);
    const field = scanner.until(/[,(]/g);
    if (field === '') scanner.fail('expected a field name');
    requests.push({ field, ranges: scanner.accept('(') ? parseRanges(scanner) : [] });
  } while (scanner.fault === null && scanner.accept(','));
  if (scanner.fault === null && !scanner.isAtEnd()) scanner.fail('expected "," or the end');
  return scanner.fault === null
    ? { requests, diagnostics: [] }
    : { requests: [], diagnostics: [scanner.fault] };
}

function parseRanges(scanner: Scanner): FacetRequest['ranges'] {
  const ranges: FacetRequest['ranges'] = [];
  do {
    if (ranges.length === facetLimits.ranges) scanner.fail(`expected at most ${facetLimits.ranges} ranges`);
    const label = scanner.until(/[:,()[\]]/g);
    if (label === '') scanner.fail('expected a label for the range');
    if (!scanner.accept(':')) scanner.fail('expected ":" after the label');
    if (!scanner.accept('[')) scanner.fail('expected "[" before the range');
    const from = bound(scanner, /\.\.|[\],()]/g);
    if (!scanner.accept('..')) scanner.fail('expected ".." between the ends of the range');
    const to = bound(scanner, /[\],()]/g);
    if (!scanner.accept(']')) scanner.fail('expected "]" after the range');
    ranges.push({ label, from, to });
  } while (scanner.fault === null && scanner.accept(','));
  if (!scanner.accept(')')) scanner.fail('expected "," or ")"');
  return ranges;
}

function bound(scanner: Scanner, end: RegExp): number | null {
  scanner.skipSpace();
  const start = scanner.at;
  const text = scanner.until(end);
  if (text === '') return null;
  const span = asDateSpan(text);
  if (span === null) scanner.fail('expected a number or a date', start);
  return span?.start ?? null;
}

/** A cursor that keeps the first fault; everything after it is read on but thrown away. */
class Scanner {
  readonly #text: string;
  at = 0;
  fault: Diagnostic | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.skipSpace();
    return this.at === this.#text.length;
  }

  skipSpace(): void {
    while (this.at < this.#text.length && /\s/.test(this.#text[this.at] ?? '')) this.at++;
  }

  accept(token: string): boolean {
    this.skipSpace();
    if (!this.#text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  /** The text up to the next match of a global pattern or the end, trimmed. */
  until(end: RegExp): string {
    this.skipSpace();
    end.lastIndex = this.at;
    const stop = end.exec(this.#text)?.index ?? this.#text.length;
    const text = this.#text.slice(this.at, stop).trim();
    this.at = stop;
    return text;
  }

  fail(message: string, position = this.at): void {
    this.fault ??= { position, message };
  }
}

import type { Diagnostic, FacetRequest } from '../../types.ts';
import { asDateSpan } from '../filter/filter-value.ts';
import { TextCursor } from '../text-cursor.ts';

/** Ranges of one facet. */
const rangesMax = 100;

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
 * White space between tokens is free; a label may hold spaces.
 */
export function parseFacets(
  text: string,
  facetsMax: number,
): { requests: FacetRequest[]; diagnostics: Diagnostic[] } {
  const requests: FacetRequest[] = [];
  if (text.trim() === '') return { requests, diagnostics: [] };
  const cursor = new TextCursor(text);
  do {
    if (requests.length === facetsMax) cursor.fail(`expected at most ${facetsMax} facets`);
    const field = cursor.until(/[,(]/g);
    if (field === '') cursor.fail('expected a field name');
    requests.push({ field, ranges: cursor.accept('(') ? parseRanges(cursor) : [] });
  } while (cursor.fault === null && cursor.acceptAfterSpace(','));
  cursor.skipSpace();
  if (!cursor.isAtEnd) cursor.fail('expected "," or the end');
  return cursor.fault === null
    ? { requests, diagnostics: [] }
    : { requests: [], diagnostics: [cursor.fault] };
}

function parseRanges(cursor: TextCursor): FacetRequest['ranges'] {
  const ranges: FacetRequest['ranges'] = [];
  do {
    if (ranges.length === rangesMax) cursor.fail(`expected at most ${rangesMax} ranges`);
    const label = cursor.until(/[:,()[\]]/g);
    if (label === '') cursor.fail('expected a label for the range');
    if (!cursor.accept(':')) cursor.fail('expected ":" after the label');
    if (!cursor.acceptAfterSpace('[')) cursor.fail('expected "[" before the range');
    const from = parseBound(cursor, /\.\.|[\],()]/g);
    if (!cursor.accept('..')) cursor.fail('expected ".." between the ends of the range');
    const to = parseBound(cursor, /[\],()]/g);
    if (!cursor.accept(']')) cursor.fail('expected "]" after the range');
    ranges.push({ label, from, to });
  } while (cursor.fault === null && cursor.acceptAfterSpace(','));
  if (!cursor.acceptAfterSpace(')')) cursor.fail('expected "," or ")"');
  return ranges;
}

function parseBound(cursor: TextCursor, end: RegExp): number | null {
  cursor.skipSpace();
  const start = cursor.at;
  const text = cursor.until(end);
  if (text === '') return null;
  const span = asDateSpan(text);
  return span === null ? cursor.fail('expected a number or a date', start) : span.start;
}

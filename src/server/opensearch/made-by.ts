import type { Analyzer } from '#server/engine/search-index.ts';
import type { FixedConstants } from './fixed-constants.ts';

/** What an index is made by. Where that is to be another, so is the index. */
export interface MadeBy {
  /** By which its texts are read. */
  analyzer: Analyzer;
  constants: FixedConstants;
}

/** The same as the record notes it. */
export interface MadeByNote {
  /** The analyzer's name. */
  name: string;
  /** Whether it is laid out as here; so that it can be searched and written to all the same; as neither, by an earlier release, or by a later one. */
  layout: 'earlier' | 'former' | 'own' | 'later';
  constants: FixedConstants;
}

/** Another number for another mapping: indexes that were made by an older one are made anew. */
const layout = 3;
/** Without fields of content words alone. */
const formerLayout = 2;

/** What is meant where a note has none: releases left these out. */
const unwritten: FixedConstants = { k1: 1.3, b: 0.6, titleWeight: 2 };

/** As `en-2 2 1.3 0.6 2`: analyzer, layout, constants. */
export function noteOf({ analyzer: { name }, constants: { k1, b, titleWeight } }: MadeBy): string {
  return `${name} ${layout} ${k1} ${b} ${titleWeight}`;
}

export function readNote(note: string): MadeByNote {
  const [name = '', its, ...given] = note.split(' ');
  const [k1 = unwritten.k1, b = unwritten.b, titleWeight = unwritten.titleWeight] = given.map(Number);
  return { name, layout: layoutOf(Number(its)), constants: { k1, b, titleWeight } };
}

function layoutOf(its: number): MadeByNote['layout'] {
  if (its === layout) return 'own';
  if (its === formerLayout) return 'former';
  return its > layout ? 'later' : 'earlier';
}

export const areSame = (one: FixedConstants, other: FixedConstants) =>
  one.k1 === other.k1 && one.b === other.b && one.titleWeight === other.titleWeight;

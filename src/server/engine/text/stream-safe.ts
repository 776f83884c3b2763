/**
 * Unicode normalisation sorts each run of combining marks, which takes time quadratic in the run. Runs are cut before it: what is beyond
 * `joiningMax` characters of a run is left out. No language comes near; Unicode's Stream-Safe Text Format (UAX 15, section 13) has the
 * same number. Long texts are normalised in pieces that begin where nothing joins what stands before, so that the pieces together are what
 * the whole would be. Linear in the text.
 */

/** Characters in a row that may join the one before them. */
export const joiningMax = 30;
/** UTF-16 units that are normalised at once. */
export const pieceUnitsMax = 4_096;

/**
 * What is sorted or composed with what stands before it: marks, vowels and finals of Hangul, the two half-width sound marks of kana, and
 * the vowels of Kirat Rai, which are no marks but compose.
 */
const JOINING = String.raw`[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f\u{16d63}\u{16d67}-\u{16d6a}]`;
const joins = new RegExp(JOINING, 'u');
const longRun = new RegExp(`${JOINING}{${joiningMax + 1}}`, 'u');

/** The text with its runs cut: itself where none is too long. */
export function streamSafe(text: string): string {
  return text.length > joiningMax && longRun.test(text) ? withRunsCut(text) : text;
}

function withRunsCut(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let run = 0;
  for (let at = 0; at < text.length; ) {
    const end = at + unitsAt(text, at);
    run = joinsBefore(text, at) ? run + 1 : 0;
    if (run > joiningMax) {
      if (at > from) parts.push(text.slice(from, at));
      from = end;
    }
    at = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The text, its runs cut, in pieces that may be normalised one by one. What is not asked for is not read. */
export function* normalisablePieces(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    yield streamSafe(text.slice(start, end));
    start = end;
  }
}

/** Where the next character joins nothing. A run that does not fit in a piece goes along: it will be cut. */
function pieceEnd(text: string, start: number): number {
  const full = start + pieceUnitsMax;
  if (full >= text.length) return text.length;
  let end = full;
  while (end > start && !beginsPiece(text, end)) end -= 1;
  if (end > start) return end;
  end = full;
  while (end < text.length && !beginsPiece(text, end)) end += 1;
  return end;
}

const beginsPiece = (text: string, at: number): boolean => !isInsidePair(text, at) && !joinsBefore(text, at);

/** Whether the character that begins here may change what stands before it, or its place. */
export const joinsBefore = (text: string, at: number): boolean =>
  joins.test(text.slice(at, at + unitsAt(text, at)));

const isInsidePair = (text: string, at: number): boolean => unitsAt(text, at - 1) === 2;

/** Units of the character that begins here. */
export function unitsAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0xd800 || code > 0xdbff) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

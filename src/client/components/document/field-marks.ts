/** A part of a field's text, in UTF-16 offsets. The field is a path; elements of a list are named by their place: `tags.0`. */
export interface FieldMark {
  field: string;
  start: number;
  end: number;
}

interface MarkedPiece {
  text: string;
  isMarked: boolean;
  /** Where it begins in the text. */
  start: number;
}

/** A text cut where marks begin and end; marks that touch are one. */
export function markedPieces(text: string, marks: Pick<FieldMark, 'start' | 'end'>[]): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  const push = (start: number, end: number, isMarked: boolean) => {
    if (end > start) pieces.push({ text: text.slice(start, end), isMarked, start });
  };
  let at = 0;
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const last = pieces.at(-1);
    if (last?.isMarked && mark.start <= at) {
      last.text = text.slice(last.start, Math.max(at, mark.end));
    } else {
      push(at, mark.start, false);
      push(mark.start, mark.end, true);
    }
    at = Math.max(at, mark.end);
  }
  push(at, text.length, false);
  return pieces;
}

/** Those of a field, or of what lies in it. */
export function marksWithin(marks: FieldMark[], path: string): FieldMark[] {
  return marks.filter(({ field }) => field === path || field.startsWith(`${path}.`));
}

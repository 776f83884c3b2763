interface Span {
  start: number;
  end: number;
}

/** A part of a field's text, in UTF-16 offsets. The field is a path; elements of a list are named by their place: `tags.0`. */
export interface FieldMark extends Span {
  field: string;
  /** It is only what stands around another mark. */
  isAround?: boolean;
}

interface MarkedPiece {
  text: string;
  kind: 'marked' | 'around' | 'plain';
  /** Where it begins in the text. */
  start: number;
}

/** A text cut where marks begin and end; marks that touch are one. */
export function markedPieces(text: string, marks: Omit<FieldMark, 'field'>[]): MarkedPiece[] {
  const around = marks.filter(({ isAround }) => isAround);
  const pieces: MarkedPiece[] = [];
  const push = ({ start, end }: Span, kind: MarkedPiece['kind']) =>
    pieces.push({ text: text.slice(start, end), kind, start });
  const strong = marks.filter(({ isAround }) => !isAround);
  for (const piece of cut({ start: 0, end: text.length }, strong)) {
    if (piece.isMarked) push(piece, 'marked');
    else for (const part of cut(piece, around)) push(part, part.isMarked ? 'around' : 'plain');
  }
  return pieces;
}

function cut(whole: Span, marks: Span[]): (Span & { isMarked: boolean })[] {
  const pieces: (Span & { isMarked: boolean })[] = [];
  const push = (start: number, end: number, isMarked: boolean) => {
    if (end > start) pieces.push({ start, end, isMarked });
  };
  let at = whole.start;
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const end = Math.min(mark.end, whole.end);
    const last = pieces.at(-1);
    if (end <= at || end <= mark.start) continue;
    if (last?.isMarked && mark.start <= at) last.end = end;
    else {
      push(at, mark.start, false);
      push(Math.max(at, mark.start), end, true);
    }
    at = end;
  }
  push(at, whole.end, false);
  return pieces;
}

/** Those of a field, or of what lies in it. */
export function marksWithin(marks: FieldMark[], path: string): FieldMark[] {
  return marks.filter(({ field }) => field === path || field.startsWith(`${path}.`));
}

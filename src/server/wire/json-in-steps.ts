import { weightOf } from './weight-of.ts';

type Pieces = Generator<string, void, void>;

/** What is written without a pause, in units of `weightOf`. */
const writtenAtOnce = 32_768;

/**
 * The text that `JSON.stringify` makes of a value that was read from JSON, piece by piece: what is small is written at once, of a large list or
 * object one run of members after the other, a long string between its characters.
 */
export function* jsonPieces(value: unknown, unitsMax = writtenAtOnce): Pieces {
  if (weightOf(value, unitsMax) <= unitsMax) yield JSON.stringify(value);
  else yield* largePieces(value, unitsMax);
}

/** The whole text, with a pause after each piece. */
export function* jsonTextInSteps(value: unknown): Generator<void, string, void> {
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    yield;
  }
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
}

function* largePieces(value: unknown, unitsMax: number): Pieces {
  if (typeof value === 'string') yield* stringPieces(value, unitsMax);
  else if (Array.isArray(value)) yield* runsOf(itemsOf(value), { ...ofList, unitsMax });
  else if (typeof value === 'object' && value !== null)
    yield* runsOf(membersOf(value as Record<string, unknown>), { ...ofObject, unitsMax });
  else yield JSON.stringify(value);
}

interface Member {
  /** With its colon; an item of a list has none. */
  name: string;
  value: unknown;
}

interface Container {
  open: string;
  close: string;
  textOf: (run: Member[]) => string;
}

const ofList: Container = {
  open: '[',
  close: ']',
  textOf: (run) => JSON.stringify(run.map(({ value }) => value)).slice(1, -1),
};
const ofObject: Container = {
  open: '{',
  close: '}',
  textOf: (run) => run.map(({ name, value }) => name + JSON.stringify(value)).join(),
};

function* itemsOf(list: unknown[]): Generator<Member, void, void> {
  for (const value of list) yield { name: '', value };
}

function* membersOf(object: Record<string, unknown>): Generator<Member, void, void> {
  for (const name of Object.keys(object)) yield { name: `${JSON.stringify(name)}:`, value: object[name] };
}

/** Small members together, each large one by itself. */
function* runsOf(
  members: Iterable<Member>,
  { open, close, textOf, unitsMax }: Container & { unitsMax: number },
): Pieces {
  let run: Member[] = [];
  let units = 0;
  let before = open;
  for (const member of members) {
    const weight = weightOf(member.value, unitsMax) + member.name.length;
    if (units + weight > unitsMax && run.length > 0) {
      yield before + textOf(run);
      [run, units, before] = [[], 0, ','];
    }
    if (weight > unitsMax) {
      yield before + member.name;
      yield* largePieces(member.value, unitsMax);
      before = ',';
    } else {
      run.push(member);
      units += weight;
    }
  }
  if (run.length > 0) yield before + textOf(run) + close;
  else yield before === open ? open + close : close;
}

function* stringPieces(text: string, unitsMax: number): Pieces {
  yield '"';
  for (let from = 0; from < text.length; ) {
    const end = wholeCharacter(text, Math.min(text.length, from + unitsMax));
    yield JSON.stringify(text.slice(from, end)).slice(1, -1);
    from = end;
  }
  yield '"';
}

/** `end`, or behind the surrogate pair that it would part. */
function wholeCharacter(text: string, end: number): number {
  const isInPair = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  return isInPair ? end + 1 : end;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

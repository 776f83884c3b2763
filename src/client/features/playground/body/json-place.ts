/** Where in a JSON text something is being written. */
export interface JsonPlace {
  expects: 'name' | 'value';
  /** Names and places of lists that lead there; of a value its own name is the last. */
  path: (string | number)[];
  /** Names that its object has before it. */
  taken: string[];
  /** Where the word begins that is being written. */
  from: number;
}

interface Open {
  kind: 'object' | 'list';
  names: string[];
  /** Of the value that is being read; null: a name is awaited. */
  name: string | null;
  index: number;
}

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Reads the text up to a position, half-written as it may be; null: nothing can be proposed there. */
export function jsonPlace(text: string, position: number): JsonPlace | null {
  const before = text.slice(0, position);
  const open: Open[] = [];
  let last: { text: string; at: number } | null = null;
  for (const found of before.matchAll(token)) {
    last = { text: found[0], at: found.index };
    if (found.index + found[0].length < position || /^[{}[\],:]$/.test(found[0])) step(open, found[0]);
  }
  const inner = open.at(-1);
  if (!inner || !last) return null;
  const isOpenWord = last.at + last.text.length === position && !/^[{}[\],:]$/.test(last.text);
  const from = isOpenWord ? last.at : position;
  const outside = open.slice(0, -1).map(segmentOf);
  if (inner.kind === 'object' && inner.name === null) {
    // After a value comes a comma.
    const isDone = !isOpenWord && !/^[{,]$/.test(last.text);
    return isDone ? null : { expects: 'name', path: outside, taken: inner.names, from };
  }
  const isDone = !isOpenWord && !/^[[,:]$/.test(last.text);
  return isDone ? null : { expects: 'value', path: [...outside, segmentOf(inner)], taken: [], from };
}

function segmentOf({ kind, name, index }: Open): string | number {
  return kind === 'list' ? index : (name ?? '');
}

function step(open: Open[], word: string): void {
  const inner = open.at(-1);
  if (word === '{' || word === '[') {
    open.push({ kind: word === '{' ? 'object' : 'list', names: [], name: null, index: 0 });
  } else if (word === '}' || word === ']') {
    open.pop();
  } else if (word === ',' && inner) {
    inner.index += 1;
    inner.name = null;
  } else if (word !== ':' && inner?.kind === 'object' && inner.name === null) {
    inner.name = word.replace(/^"|"$/g, '');
    inner.names.push(inner.name);
  }
}

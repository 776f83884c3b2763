import { isPauseDue, type Steps } from '#server/engine/steps.ts';

/** What it takes to look at a value, in the engine's units of work. */
const lookUnits = 16;

/** Made once for a list of paths that is used again and again. */
const known = new WeakMap<readonly string[], PathTree>();

/**
 * All that stands at some fields' paths in a document, by path: as the index reads it, through nested objects and lists of them, and in keys that
 * hold a dot. One walk over the values that paths lead to, however many paths there are.
 */
export function* fieldValues(
  document: Record<string, unknown>,
  paths: readonly string[],
): Steps<Map<string, unknown[]>> {
  const found = new Map(paths.map((path): [string, unknown[]] => [path, []]));
  const tree = known.get(paths) ?? new PathTree(paths.map((path) => [path, path]));
  known.set(paths, tree);
  yield* collect(document, tree, found);
  return found;
}

/** What is left of paths on the way to their fields, and whose it is. */
type Rest = [rest: string, path: string];

class PathTree {
  /** By a key: the paths that end there. */
  readonly #ends = new Map<string, string[]>();
  /** By a key: what is left of those that go on behind it, made a tree when a document has the key. */
  readonly #rests = new Map<string, Rest[] | PathTree>();

  constructor(rests: Rest[]) {
    for (const [rest, path] of rests) {
      addTo(this.#ends, rest, path);
      for (let dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.', dot + 1))
        addTo(this.#rests as Map<string, Rest[]>, rest.slice(0, dot), [rest.slice(dot + 1), path]);
    }
  }

  endsAt(key: string): readonly string[] {
    return this.#ends.get(key) ?? [];
  }

  /** Null: no path goes on behind the key. */
  below(key: string): PathTree | null {
    const rests = this.#rests.get(key);
    if (rests === undefined || rests instanceof PathTree) return rests ?? null;
    const tree = new PathTree(rests);
    this.#rests.set(key, tree);
    return tree;
  }
}

function addTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function* collect(value: unknown, tree: PathTree, found: Map<string, unknown[]>): Steps<void> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isPauseDue(lookUnits)) yield;
      if (typeof item === 'object') yield* collect(item, tree, found);
    }
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    for (const path of tree.endsAt(key)) found.get(path)?.push(inner);
    const below = tree.below(key);
    if (below !== null) yield* collect(inner, below, found);
  }
}

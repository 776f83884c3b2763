/**
 * The one walk over a document: every string, number and boolean with the path of its field, in the document's order. Members of nested
 * objects are addressed by path (`author.name`), elements of a list share its path. The top-level `id` and `embedding` are no fields.
 */
import { type Steps, stepUnits } from '../steps.ts';

export type Scalar = string | number | boolean;

/** Deeper levels are not seen by anything; the edge refuses them. */
const depthMax = 64;
/** Values that are visited without a pause. */
const visitedMax = stepUnits / 4;

type Visit = (path: string, value: Scalar) => void;

/** `isWanted` tells which top-level fields are entered. */
export function* walkDocument(
  document: Record<string, unknown>,
  visit: Visit,
  isWanted: (name: string) => boolean = () => true,
): Steps<void> {
  const walk = { visit, visited: 0 };
  for (const name of Object.keys(document)) {
    if (name === 'id' || name === 'embedding' || !isWanted(name)) continue;
    const value = document[name];
    if (isScalar(value)) visit(name, value);
    else if (isContainer(value)) yield* walkInto(value, { path: name, depth: 1 }, walk);
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

interface Walk {
  visit: Visit;
  visited: number;
}

function* walkInto(container: Container, at: { path: string; depth: number }, walk: Walk): Steps<void> {
  if (Array.isArray(container)) {
    for (const element of container) yield* walkOn(element, at, walk);
    return;
  }
  for (const name of Object.keys(container))
    yield* walkOn(container[name], { path: `${at.path}.${name}`, depth: at.depth }, walk);
}

function* walkOn(value: unknown, { path, depth }: { path: string; depth: number }, walk: Walk): Steps<void> {
  if (isScalar(value)) walk.visit(path, value);
  else if (isContainer(value) && depth + 1 < depthMax)
    yield* walkInto(value, { path, depth: depth + 1 }, walk);
  walk.visited += 1;
  if (walk.visited % visitedMax === 0) yield;
}

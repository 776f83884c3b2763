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

type IsWanted = (name: string) => boolean;

const isField: IsWanted = (name) => name !== 'id' && name !== 'embedding';

/** `isWanted` tells which top-level fields are entered. */
export function* walkDocument(
  document: Record<string, unknown>,
  visit: Visit,
  isWanted: IsWanted = () => true,
): Steps<void> {
  const walk = { visit, visited: 0 };
  for (const name of Object.keys(document)) {
    if (!isField(name) || !isWanted(name)) continue;
    const value = document[name];
    if (isScalar(value)) visit(name, value);
    else if (isContainer(value)) yield* walkInto(value, { path: name, depth: 1 }, walk);
  }
}

/** The same in one go, for a small document: with a generator for each list the walk took a tenth of a small search. */
export function walkAtOnce(
  document: Record<string, unknown>,
  visit: Visit,
  isWanted: IsWanted = () => true,
): void {
  for (const name of Object.keys(document)) {
    if (isField(name) && isWanted(name)) visitAll(document[name], { path: name, depth: 0 }, visit);
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
  const isList = Array.isArray(container);
  const members = container as Record<string, unknown>;
  const depth = at.depth + 1;
  for (const key of isList ? container.keys() : Object.keys(container)) {
    const value = members[key];
    const path = isList ? at.path : `${at.path}.${key}`;
    if (isScalar(value)) walk.visit(path, value);
    else if (isContainer(value) && depth < depthMax) yield* walkInto(value, { path, depth }, walk);
    walk.visited += 1;
    if (walk.visited % visitedMax === 0) yield;
  }
}

/** `depth`: of what holds the value. */
function visitAll(value: unknown, { path, depth }: { path: string; depth: number }, visit: Visit): void {
  if (isScalar(value)) visit(path, value);
  else if (isContainer(value) && depth + 1 < depthMax) {
    if (Array.isArray(value)) {
      for (const element of value) visitAll(element, { path, depth: depth + 1 }, visit);
    } else {
      for (const name of Object.keys(value))
        visitAll(value[name], { path: `${path}.${name}`, depth: depth + 1 }, visit);
    }
  }
}

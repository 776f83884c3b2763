import { badRequest } from '#server/errors.ts';
import { catalogue, type Operation } from './catalogue.ts';

/**
 * Finds the operation of a request by its raw path. The path is split into segments before anything is decoded, so that an id may hold
 * `/`, `%`, `?` or `..`; a segment of ours (`documents`, `import`) is matched as written, so `%65xport` is the id "export".
 */
export type Matched =
  | { kind: 'found'; operation: Operation; fields: Record<string, string> }
  | { kind: 'wrong method'; allow: string[]; operations: Operation[] }
  | { kind: 'unknown' };

/** Segments that lead on from here: by their text, or any text. Operations that end here. */
interface Node {
  byText: Map<string, Node>;
  byParameter: Node | null;
  operations: Operation[];
}

const newNode = (): Node => ({ byText: new Map(), byParameter: null, operations: [] });

const root = newNode();
for (const operation of catalogue) addTo(root, operation);

function addTo(start: Node, operation: Operation): void {
  let node = start;
  for (const segment of operation.path.split('/')) {
    if (segment.startsWith('{')) {
      node.byParameter ??= newNode();
      node = node.byParameter;
    } else {
      const next = node.byText.get(segment) ?? newNode();
      node.byText.set(segment, next);
      node = next;
    }
  }
  node.operations.push(operation);
}

/** All operations whose path fits, `documents/export` before `documents/{docId}`. */
function fitting(node: Node, segments: string[], at: number): Operation[] {
  const segment = segments[at];
  if (segment === undefined) return node.operations;
  const byText = node.byText.get(segment);
  const found = byText ? fitting(byText, segments, at + 1) : [];
  if (node.byParameter === null || segment === '') return found;
  return [...found, ...fitting(node.byParameter, segments, at + 1)];
}

/** @throws AppError BAD_REQUEST for a segment that is not URL encoding */
export function matchRest(method: string, rawPath: string): Matched {
  const segments = rawPath.split('/');
  const operations = fitting(root, segments, 0);
  if (operations.length === 0) return { kind: 'unknown' };
  const operation = ofMethod(operations, method);
  if (operation) return { kind: 'found', operation, fields: readFields(operation, segments) };
  const methods = new Set<string>(operations.map((one) => one.method));
  if (methods.has('GET')) methods.add('HEAD');
  return { kind: 'wrong method', allow: [...methods, 'OPTIONS'].sort(), operations };
}

/** The same for who needs no more of it: what the path gives is not read. */
export function findOperation(method: string, rawPath: string): Operation | null {
  return ofMethod(fitting(root, rawPath.split('/'), 0), method) ?? null;
}

/** As the API's description writes it, `/api/collections/{name}`; null where nothing lies at it. */
export function findDescribedPath(rawPath: string): string | null {
  return fitting(root, rawPath.split('/'), 0)[0]?.path ?? null;
}

function ofMethod(operations: Operation[], method: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return operations.find((one) => one.method === wanted);
}

/** The input's fields that the path gives, decoded. */
function readFields({ parameters }: Operation, segments: string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { name, field, segment } of parameters)
    fields[field] = decodeSegment(name, segments[segment] ?? '');
  return fields;
}

function decodeSegment(name: string, segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(name, 'is not valid URL encoding');
  }
}

/**
 * The one walk over a document: every string, number and boolean with the path of its field, in the document's order. Members of nested
 * objects are addressed by path (`author.name`), elements of a list share its path. The top-level `id` and `embedding` are no fields.
 */
export type Scalar = string | number | boolean;

/** Deeper levels are not seen by anything; the edge refuses them. */
const depthMax = 64;

/** `isWanted` tells which top-level fields are entered. */
export function walkDocument(
  document: Record<string, unknown>,
  visit: (path: string, value: Scalar) => void,
  isWanted: (name: string) => boolean = () => true,
): void {
  for (const name of Object.keys(document)) {
    if (name !== 'id' && name !== 'embedding' && isWanted(name)) walk(document[name], name, 1, visit);
  }
}

function walk(
  value: unknown,
  path: string,
  depth: number,
  visit: (path: string, value: Scalar) => void,
): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    visit(path, value);
  } else if (typeof value === 'object' && value !== null && depth < depthMax) {
    if (Array.isArray(value)) for (const element of value) walk(element, path, depth + 1, visit);
    else
      for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`, depth + 1, visit);
  }
}

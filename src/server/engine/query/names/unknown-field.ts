import type { ColumnStore } from '../columns/column-store.ts';
import { nearestName } from './nearest-name.ts';

const nearness = {
  most: (length: number) => Math.max(2, Math.ceil(length / 2)),
  isPart: (name: string, path: string) => path.startsWith(`${name}.`) || path.endsWith(`.${name}`),
};
/** Fields that are named where none is near. */
const listedMax = 5;

/** What is said of a field that no document has and that is not declared: the name, and the field that was probably meant. */
export function unknownField(name: string, columns: Pick<ColumnStore, 'fields'>): string {
  // By name: which field was met first differs between indexes of the same documents.
  const fields = columns.fields().toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const nearest = nearestName(
    name,
    fields.map(({ path }) => path),
    nearness,
  );
  const others = fields.slice(0, listedMax).map(({ path }) => `"${path}"`);
  const meant =
    nearest !== null
      ? `; the nearest is "${nearest}"`
      : others.length > 0
        ? `; it has ${others.join(', ')}${fields.length > listedMax ? ' and others' : ''}`
        : '';
  return `expected a field of this collection: "${name}" is unknown${meant}`;
}

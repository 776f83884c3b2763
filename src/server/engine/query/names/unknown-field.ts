/**
 * What is said of a field that no document has and that is not declared: the name, and the field that was probably meant. Names are compared as the
 * words of a query are, by typos, whatever their case; of long ones the beginning. Cost: the fields of the collection times the length of the names.
 */
import { lettersOf, TypoMatcher } from '../../lexical/typos.ts';
import type { FieldView } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';

/** Letters of a name that are compared. */
const comparedMax = 64;
/** Fields that are named where none is near. */
const listedMax = 5;

export function unknownField(name: string, columns: Pick<ColumnStore, 'fields'>): string {
  // By name: which field was met first differs between indexes of the same documents.
  const fields = columns.fields().toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const nearest = nearestField(name, fields);
  const others = fields.slice(0, listedMax).map(({ path }) => `"${path}"`);
  const meant =
    nearest !== null
      ? `; the nearest is "${nearest}"`
      : others.length > 0
        ? `; it has ${others.join(', ')}${fields.length > listedMax ? ' and others' : ''}`
        : '';
  return `expected a field of this collection: "${name}" is unknown${meant}`;
}

/** Of equally near ones the first. Null: none is near. */
function nearestField(name: string, fields: FieldView[]): string | null {
  const wanted = folded(name);
  const most = Math.max(2, Math.ceil(wanted.length / 2));
  const matcher = new TypoMatcher(wanted, most);
  let nearest: string | null = null;
  let least = most + 1;
  for (const { path } of fields) {
    const own = folded(path);
    // A part of the path says which field is meant better than its letters.
    const isPart = own.startsWith(`${wanted}.`) || own.endsWith(`.${wanted}`);
    const distance = isPart ? 0.5 : matcher.distanceTo(lettersOf(own));
    if (distance >= least) continue;
    nearest = path;
    least = distance;
  }
  return nearest;
}

function folded(name: string): string {
  return name.slice(0, comparedMax).toLowerCase();
}

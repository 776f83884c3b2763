import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { SearchQuery } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { isScoreKind } from '../sort/sort-ordinals.ts';
import { FieldNameError, type NamingPart } from './field-name-error.ts';
import { unknownField } from './unknown-field.ts';

/**
 * Whether the fields exist that a search looks into, sorts by, counts and groups by. A collection without documents knows only its declared fields: there an
 * unknown one is no fault.
 * @throws FieldNameError naming the first that does not
 */
export function checkNames(
  { columns, lexical }: { columns: ColumnStore; lexical: LexicalIndex },
  { fields, sort, facets, group }: Pick<SearchQuery, 'fields' | 'sort' | 'facets' | 'group'>,
): void {
  if (columns.isEmpty) return;
  const check = (part: NamingPart, names: string[], isOther: (name: string) => boolean) => {
    for (const name of names)
      if (!columns.has(name) && !isOther(name)) throw new FieldNameError(part, unknownField(name, columns));
  };
  // Of fields beyond those that have columns only the words are known.
  const hasWords = (name: string) => columns.isFull && lexical.fieldNumber(name) >= 0;
  check('fields', fields?.map(({ name }) => name) ?? [], hasWords);
  check(
    'sort',
    sort.map(({ field }) => field),
    (name) => name === 'id' || isScoreKind(name),
  );
  for (const { field, from } of sort) {
    const isPoint = columns.typesOf(field).includes('geopoint');
    if (isPoint === (from !== undefined)) continue;
    const fault = isPoint
      ? `expected from where "${field}" is sorted: "${field}(48.2, 16.37):asc"`
      : `expected a field that is declared as a geopoint: "${field}" is none`;
    throw new FieldNameError('sort', fault);
  }
  check(
    'facets',
    facets.map(({ field }) => field),
    () => false,
  );
  check('group', group?.fields ?? [], () => false);
}

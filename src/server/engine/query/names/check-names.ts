import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { SearchQuery, SortKey } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { isScoreKind } from '../sort/sort-ordinals.ts';
import { FieldNameError, type NamingPart } from './field-name-error.ts';
import { nearestName } from './nearest-name.ts';
import { unknownField } from './unknown-field.ts';

/**
 * Whether the fields exist that a search looks into, sorts by, counts and groups by, and points are only sorted by, from somewhere. A collection
 * without documents knows only its declared fields: there an unknown one is no fault.
 * @throws FieldNameError naming the first that does not
 */
export function checkNames(
  { columns, lexical }: { columns: ColumnStore; lexical: LexicalIndex },
  {
    fields,
    sort,
    facets,
    facetQuery,
    group,
  }: Pick<SearchQuery, 'fields' | 'sort' | 'facets' | 'facetQuery' | 'group'>,
): void {
  if (columns.isEmpty) return;
  const check = (part: NamingPart, names: string[], isOther: (name: string) => boolean) => {
    for (const name of names)
      if (!columns.has(name) && !isOther(name)) throw new FieldNameError(part, unknownField(name, columns));
  };
  // Of fields beyond those that have columns only the words are known.
  const hasWords = (name: string) => columns.isFull && lexical.fieldNumber(name) >= 0;
  check('fields', fields?.map(({ name }) => name) ?? [], hasWords);
  for (const key of sort) checkPoint(key, columns);
  check(
    'sort',
    sort.map(({ field }) => field),
    (name) => name === 'id' || isScoreKind(name),
  );
  const checkValues = (part: 'facets' | 'group', names: string[]) => {
    check(part, names, () => false);
    const point = names.find((name) => isPoint(name, columns));
    if (point === undefined) return;
    const use = part === 'facets' ? 'are counted' : 'form groups';
    throw new FieldNameError(part, `expected a field whose values ${use}: "${point}" is a geopoint`);
  };
  checkValues(
    'facets',
    facets.map(({ field }) => field),
  );
  checkFacetQuery({ facets, facetQuery }, columns);
  checkValues('group', group?.fields ?? []);
}

const misspelt = { most: (length: number) => Math.floor(length / 3), isPart: () => false };

/** Before a colon a field that is not counted, or the name of one that is with a typo. Anything else is a value with a colon of its own. */
function checkFacetQuery(
  { facets, facetQuery }: Pick<SearchQuery, 'facets' | 'facetQuery'>,
  columns: ColumnStore,
): void {
  const colon = facetQuery?.indexOf(':') ?? -1;
  const name = facetQuery?.slice(0, Math.max(0, colon)).trim();
  const counted = facets.map(({ field }) => field);
  if (!name || counted.includes(name)) return;
  const nearest = nearestName(name, counted, misspelt);
  if (!columns.has(name) && nearest === null) return;
  const meant = nearest === null ? '' : `; the nearest is "${nearest}"`;
  throw new FieldNameError('facetQuery', `expected a field of "facet_by": "${name}" is none${meant}`);
}

/** Whether what is sorted from somewhere is a point, and a point is sorted from somewhere. */
function checkPoint({ field, from }: SortKey, columns: ColumnStore): void {
  const isOther = field === 'id' || isScoreKind(field) || columns.fieldsBelow(field).length > 0;
  if (!columns.has(field) && !isOther) return;
  if (isPoint(field, columns) === (from !== undefined)) return;
  const fault =
    from === undefined
      ? `expected from where "${field}" is sorted: "${field}(48.2, 16.37):asc"`
      : `expected a field that is declared as a geopoint: "${field}" is none`;
  throw new FieldNameError('sort', fault);
}

const isPoint = (name: string, columns: ColumnStore): boolean => columns.typesOf(name).includes('geopoint');

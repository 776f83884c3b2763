import type { Collection } from '#shared/collections.ts';
import type { JsonValue } from '#shared/documents.ts';
import { type CollectionSample, type FittedValues, fittedValues } from './collection-sample.ts';
import type { Endpoint } from './endpoints.ts';
import { encoded } from './request-path.ts';

/** What a request begins with: an address, and a body where it has one. */
export interface Draft {
  url: string;
  /** JSON, laid out over lines. */
  body: string | null;
}

interface Place {
  projectId: number | null;
  collection: Collection | null;
  /** Null: nothing is known of it, or there is none. */
  sample: CollectionSample | null;
  /** Of the project's collections. */
  names: string[];
}

interface Known extends Place {
  values: FittedValues;
  isSearch: boolean;
}

/** An endpoint's example made to fit a collection: its name, its fields, its documents. */
export function fitRequest(endpoint: Endpoint, place: Place): Draft {
  const values = fittedValues(place.sample);
  const known = { ...place, values, isSearch: endpoint.tab === 'Search' };
  const toFit = (name: string, example: unknown) => fitValue(name, example, known);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (written, name: string) => {
    if (name === 'name') return place.collection ? encoded(place.collection.name) : written;
    const parameter = endpoint.parameters.find((one) => one.name === name);
    const isRead = endpoint.method === 'GET' && name === 'docId';
    const id = isRead ? values.id : undefined;
    return encoded(String(id ?? parameter?.example ?? written));
  });
  const query = endpoint.parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') return [];
    if (parameter.name === 'projectId') return place.projectId ? [`projectId=${place.projectId}`] : [];
    if (parameter.example === undefined) return [];
    const value = toFit(parameter.name, parameter.example);
    return value === undefined ? [] : [`${parameter.name}=${encoded(String(value))}`];
  });
  return {
    url: query.length > 0 ? `${path}?${query.join('&')}` : path,
    body: endpoint.body ? JSON.stringify(fitBody(endpoint, place, toFit), null, 2) : null,
  };
}

function fitBody(
  { body, tab }: Endpoint,
  place: Place,
  toFit: (name: string, example: unknown) => unknown,
): unknown {
  const example = body?.example;
  if (tab === 'Documents') return fitDocuments(example, place);
  const fitted = toFit('', example);
  const takesProject = body?.schema.properties?.['projectId'] !== undefined && place.projectId !== null;
  if (!takesProject) return fitted;
  const { metadata: _, ...fields } = fitted as Record<string, unknown>;
  return { ...fields, name: freeName(String(fields['name']), place.names), projectId: place.projectId };
}

/** The example's ids, with the fields that the collection's own documents have. */
function fitDocuments(example: unknown, { sample }: Place): unknown {
  const own = sample?.documents ?? [];
  const fitOne = (document: unknown, index: number) => {
    const { id, ...fields } = document as Record<string, JsonValue>;
    const like = own[index % Math.max(own.length, 1)];
    const { id: _, ...copied } = like ?? {};
    return {
      ...(id !== undefined && { id }),
      ...(like ? shortened(copied as Record<string, JsonValue>) : fields),
    };
  };
  return Array.isArray(example) ? example.map(fitOne) : fitOne(example, 0);
}

const shownCharacters = 160;

function shortened(document: Record<string, JsonValue>): Record<string, JsonValue> {
  const short = (value: JsonValue) =>
    typeof value === 'string' && value.length > shownCharacters
      ? `${value.slice(0, shownCharacters).trimEnd()}…`
      : value;
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, short(value)]));
}

/** `undefined`: this collection has nothing that could stand there. */
function fitValue(name: string, example: unknown, place: Known): unknown {
  const { collection, values, sample } = place;
  if (name === 'collection') return collection?.name ?? example;
  // Of a collection that nobody knows yet the example is the best there is.
  if (sample && name in values.searched) return values.searched[name as keyof typeof values.searched];
  // A rule's is its own.
  if (name === 'id') return place.isSearch ? (values.comparableId ?? example) : example;
  if (name === 'includes') return values.id === undefined ? [] : [{ id: values.id, position: 1 }];
  if (name === 'excludes') return values.otherId === undefined ? [] : [{ id: values.otherId }];
  if (Array.isArray(example)) return example.map((item) => fitValue('', item, place));
  if (typeof example !== 'object' || example === null) return example;
  const fitted = Object.entries(example).flatMap(([key, value]) => {
    const made = fitValue(key, value, place);
    return made === undefined ? [] : [[key, made] as const];
  });
  return Object.fromEntries(fitted);
}

function freeName(name: string, taken: string[]): string {
  for (let i = 2, free = name; ; i += 1, free = `${name} ${i}`) if (!taken.includes(free)) return free;
}

/** What searches are judged by: sets in BEIR's form, and those that are made of a collection's own fields. */
import path from 'node:path';
import type { IndexedDocument } from '#server/engine/types.ts';
import { type CorpusRow, type JudgedQuery, type JudgedSet, toDocument } from './judged-set.ts';
import { rareWordSets, titleSets } from './known-items.ts';
import { productCatalogue } from './product-catalogue.ts';
import { readCorpus, readQueries } from './read-beir.ts';
import { type Forms, valueSet } from './value-queries.ts';

const seed = 11;
/** Queries of a made set. */
const madeQueries = 1_000;

export interface JudgedCollection {
  name: string;
  rows: CorpusRow[];
  sets: JudgedSet[];
  /** What documents are searched in; null: all they have. */
  fields: readonly string[] | null;
}

interface Wanted {
  /** Whether queries are made of the documents' fields, also where some come with them. */
  isMade?: boolean;
  /** So many documents, evenly from all of them, and the queries that these answer; absent: all. */
  documentsMax?: number | undefined;
}

const filmForms: Forms = [
  ['cast'],
  ['genres', 'cast'],
  ['cast', 'title:word'],
  ['title:word', 'year'],
  ['genres', 'year'],
  ['cast', 'cast'],
  ['cast', 'year'],
  ['genres', 'title:word', 'year'],
];
const artworkForms: Forms = [
  ['artist'],
  ['subjects', 'subjects'],
  ['artist', 'subjects'],
  ['medium', 'artist'],
  ['artist', 'year'],
  ['title:word', 'artist'],
  ['subjects', 'title:word'],
  ['subjects', 'subjects', 'subjects'],
];

/** What a folder holds beside its corpus, or what is made of it, by its name. @param folder in BEIR's form, or `products`, which is no folder */
export function judgedCollection(
  folder: string,
  { isMade = false, documentsMax }: Wanted = {},
): JudgedCollection {
  const name = path.basename(folder);
  if (folder === 'products') {
    const { rows, set } = productCatalogue({ count: 3_000, queries: madeQueries, seed });
    return { name, rows, sets: [set], fields: null };
  }
  const all = readCorpus(folder);
  const rows = documentsMax === undefined ? all : evenly(all, documentsMax);
  const queries = isMade ? [] : readQueries(folder);
  if (queries.length === 0) return { name, rows, ...madeOf(name, rows) };
  const answered = documentsMax === undefined ? queries : answeredBy(rows, queries);
  return { name, rows, sets: [{ name, queries: answered }], fields: searchedIn[name] ?? titleAndText };
}

const titleAndText = ['title', 'text'];
/** Its queries are the titles. */
const searchedIn: Record<string, readonly string[]> = { 'arxiv-100k': ['text'] };

function madeOf(name: string, rows: CorpusRow[]): Pick<JudgedCollection, 'sets' | 'fields'> {
  const made = { count: madeQueries, seed };
  if (name === 'wiki-movies') {
    const values = valueSet('films', { ...made, rows, forms: filmForms });
    return { sets: [...titleSets('titles', rows, made), values], fields: null };
  }
  if (name === 'artworks')
    return { sets: [valueSet('artworks', { ...made, rows, forms: artworkForms })], fields: null };
  if (name === 'arxiv-100k') return { sets: rareWordSets('papers', rows, made), fields: titleAndText };
  throw new Error(`Without judged queries: of the fields of ${name} none are made`);
}

function evenly(rows: CorpusRow[], most: number): CorpusRow[] {
  const step = Math.max(1, rows.length / most);
  return rows.filter((_, i) => i === 0 || Math.floor(i / step) > Math.floor((i - 1) / step));
}

function answeredBy(rows: CorpusRow[], queries: JudgedQuery[]): JudgedQuery[] {
  const known = new Set(rows.map(({ _id }) => _id));
  return queries.flatMap((query) => {
    const grades = new Map([...query.grades].filter(([id]) => known.has(id)));
    return grades.size === 0 ? [] : [{ ...query, grades }];
  });
}

export function documentsOf({ rows, fields }: Pick<JudgedCollection, 'rows' | 'fields'>): IndexedDocument[] {
  if (fields === null) return rows.map(toDocument);
  return rows.map((row) => {
    const searched = fields.map((name) => [name, row[name]]);
    return toDocument({ _id: row._id, ...Object.fromEntries(searched) });
  });
}

/** What searches are judged by: sets in BEIR's form, and those that are made of a collection's own fields. */
import path from 'node:path';
import { type CorpusRow, type JudgedSet, toDocument } from './judged-set.ts';
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
export function judgedCollection(folder: string): JudgedCollection {
  const name = path.basename(folder);
  if (folder === 'products') {
    const { rows, set } = productCatalogue({ count: 3_000, queries: madeQueries, seed });
    return { name, rows, sets: [set] };
  }
  const rows = readCorpus(folder);
  return { name, rows, sets: setsOf(name, folder, rows) };
}

function setsOf(name: string, folder: string, rows: CorpusRow[]): JudgedSet[] {
  const made = { count: madeQueries, seed };
  if (name === 'wiki-movies')
    return [...titleSets('titles', rows, made), valueSet('films', { ...made, rows, forms: filmForms })];
  if (name === 'artworks') return [valueSet('artworks', { ...made, rows, forms: artworkForms })];
  if (name === 'arxiv-100k') return rareWordSets('papers', rows, made);
  return [{ name, queries: readQueries(folder) }];
}

/** Searched in all their fields. */
const wholeCollections = /^(?:wiki-movies|artworks|products|natural: .*)$/;

/** Of collections that others are compared on, what these are searched in: title and text. */
export function documentsOf({ name, rows }: Pick<JudgedCollection, 'name' | 'rows'>) {
  const isWhole = wholeCollections.test(name);
  return rows.map(({ _id, ...fields }) => {
    const { title, text } = fields;
    return toDocument(isWhole ? { _id, ...fields } : { _id, title, text });
  });
}

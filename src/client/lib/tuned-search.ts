import { isRecord } from './json.ts';

/** Parameters that the page has no control of its own for: a change that brings a document in sets them. */
export interface Tuned {
  num_typos?: number;
  k?: number;
  match?: 'all' | 'any';
  prefix?: boolean;
  enable_synonyms?: boolean;
  enable_overrides?: boolean;
  understand?: boolean;
  stop_words?: 'none';
  query_by?: string[];
  query_by_weights?: number[];
  min_relevance?: number;
}

export function withoutLeastRelevance({ min_relevance: _, ...others }: Tuned): Tuned {
  return others;
}

/** Whatever the settings of a collection leave out. */
export function withAnyRelevance(tuned: Tuned): Tuned {
  return { ...tuned, min_relevance: 0 };
}

const fieldsMax = 100;
const isNumber = (max: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isListOf = (type: 'string' | 'number') => (value: unknown) =>
  Array.isArray(value) && value.length <= fieldsMax && value.every((item) => typeof item === type);

const readers: Record<keyof Tuned, (value: unknown) => boolean> = {
  num_typos: isNumber(2),
  k: isNumber(10_000),
  match: (value) => value === 'all' || value === 'any',
  prefix: isFlag,
  enable_synonyms: isFlag,
  enable_overrides: isFlag,
  understand: isFlag,
  stop_words: (value) => value === 'none',
  query_by: isListOf('string'),
  query_by_weights: isListOf('number'),
  min_relevance: (value) => typeof value === 'number' && value >= 0 && value <= 1,
};

export function isTunable(parameter: string, value: unknown): parameter is keyof Tuned {
  return parameter in readers && readers[parameter as keyof Tuned](value);
}

/** What of an address can be read. */
export function tunedParam(value: unknown): Tuned {
  if (!isRecord(value) || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => isTunable(name, one)));
}

/** A parameter as people read it. */
export function tunedLabel(parameter: string, value: unknown): string {
  switch (parameter) {
    case 'num_typos':
      if (value === 0) return 'No typos allowed';
      return value === 1 ? 'One typo a word allowed' : `${String(value)} typos a word allowed`;
    case 'k':
      return `The ${String(value)} nearest compared`;
    case 'match':
      return value === 'any' ? 'Any of the words suffices' : 'All of the words wanted';
    case 'prefix':
      return value === true ? 'Words that begin so count' : 'Whole words only';
    case 'enable_synonyms':
      return value === true ? 'With synonyms' : 'Without synonyms';
    case 'enable_overrides':
      return value === true ? 'With overrides' : 'Without overrides';
    case 'understand':
      return value === true ? 'Values and amounts are conditions' : 'All words taken as they are';
    case 'stop_words':
      return 'Stop words count';
    case 'query_by':
      return `Words looked for in ${Array.isArray(value) ? value.join(', ') : String(value)}`;
    case 'query_by_weights':
      return `Weights ${String(value)}`;
    case 'min_relevance':
      return value === 0 ? 'Whatever the relevance' : `Relevance of at least ${String(value)}`;
    case 'filter_by':
      return value === '' ? 'Without filter' : `Filter ${String(value)}`;
    case 'alpha':
      return `Weight of meaning ${String(value)}`;
    case 'page':
      return `Page ${String(value)}`;
    case 'query':
      return value === '*' ? 'All documents' : `Query “${String(value)}”`;
    default:
      return `${parameter}: ${JSON.stringify(value)}`;
  }
}

import type { ExplainedWords } from '#server/engine/search-index.ts';
import type { FoundId } from './multi-search.ts';
import type { SearchParts } from './prepare-search.ts';
import { among, type Query } from './query.ts';
import type { FoundHit } from './ranked.ts';
import { hitsOf } from './ranked-words.ts';
import type { ScoredWay } from './word-queries.ts';

type ExplainedWord = ExplainedWords['words'][number];
type Match = ExplainedWord['matches'][number];

/** What the cluster's scores of the words of some documents are made of. */
export interface WordScores {
  /** `words`: what an embedded index says of them. Null: the document has none, or the search. */
  explained(hit: FoundHit, words: ExplainedWords | null): ExplainedWords | null;
}

const nameOf = (word: number, way: number) => `${word} ${way}`;

/** Each way in which a document may hold a word is asked for by a name of its own. */
export async function wordScores(parts: SearchParts, ids: string[]): Promise<WordScores> {
  const { asked, keyword, reading, unit } = parts;
  if (reading === null || ids.length === 0) return { explained: () => null };
  const ways = keyword.scoredWays(reading, unit);
  const should = ways.flatMap((own, word) => own.map(({ query }, way) => named(query, nameOf(word, way))));
  const query = { bool: { filter: [among('id', ids)], should, minimum_should_match: 0 } };
  const [reply, meanLength] = await Promise.all([
    asked.askNamed({ size: ids.length, query }),
    meanLengthOf(parts),
  ]);
  const found = new Map(hitsOf(reply).map((hit) => [hit._id, namedScores(hit)]));
  return {
    explained(hit, words) {
      const own = found.get(hit.id);
      if (words === null || own === undefined) return null;
      const scored = reading.words.flatMap(({ text }, word) => {
        const best = bestWay(ways[word] ?? [], (way) => (own[nameOf(word, way)] ?? 0) / unit);
        const held = words.words.find((each) => each.word === text);
        return held === undefined ? [] : [withScore(held, best)];
      });
      // The cluster's sum is in single precision.
      const sum = scored.reduce((all, each) => all + each.score, 0);
      const exact = scored.map((word) => timesScore(word, sum > 0 ? hit.textMatch / sum : 0));
      const coverage = parts.query.mode === 'hybrid' && hit.coverage > 0 ? hit.coverage : words.coverage;
      return { ...words, meanLength, words: exact, score: hit.textMatch, coverage };
    },
  };
}

/** The clause itself takes the name. */
function named(query: Query, name: string): Query {
  const [[clause, body] = []] = Object.entries(query) as [string, Record<string, unknown>][];
  if (clause === 'constant_score') return { constant_score: { ...body, _name: name } };
  if (clause === 'term') {
    const [[field, given] = []] = Object.entries(body ?? {}) as [string, object][];
    return { term: { [String(field)]: { ...given, _name: name } } };
  }
  return { bool: { must: [query], _name: name } };
}

function namedScores({ matched_queries = {} }: FoundId): Record<string, number> {
  return matched_queries;
}

/** Of all documents, weighted like the searched fields. */
async function meanLengthOf({ asked, keyword }: SearchParts): Promise<number> {
  const lengths = keyword.contentFields.map(
    async ({ content, weight }) => weight * (await asked.meanLength(content)),
  );
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0);
}

interface BestWay {
  way: ScoredWay | null;
  score: number;
}

/** The one that counts. */
function bestWay(ways: ScoredWay[], scoreOf: (way: number) => number): BestWay {
  let best: BestWay = { way: null, score: 0 };
  ways.forEach((way, place) => {
    const score = scoreOf(place);
    if (score > best.score) best = { way, score };
  });
  return best;
}

function timesScore(word: ExplainedWord, factor: number): ExplainedWord {
  const matches = word.matches.map((match) => ({ ...match, score: match.score * factor }));
  return { ...word, saturation: word.saturation * factor, score: word.score * factor, matches };
}

/** The score is that of the best way: of several fields that were searched together each has its part by how often it holds the word. */
function withScore(word: ExplainedWord, { way, score }: BestWay): ExplainedWord {
  const isBest = ({ kind, typos, field }: Match) =>
    way !== null && kind === way.kind && typos === way.typos && (way.path === null || way.path === field);
  const counted = word.matches.filter(isBest);
  const all = counted.length === 0 ? word.matches : counted;
  const amountOf = ({ share, fieldWeight, frequency }: Match) => share * fieldWeight * frequency;
  const amount = all.reduce((sum, match) => sum + amountOf(match), 0);
  const matches = word.matches
    .map((match) => ({
      ...match,
      score: all.includes(match) && amount > 0 ? (score * amountOf(match)) / amount : 0,
    }))
    .sort((a, b) => b.score - a.score);
  return { ...word, saturation: word.weight > 0 ? score / word.weight : 0, score, matches };
}

import { withoutOperators } from '#server/engine/search-index.ts';
import type { CollectionHandle, Indexes, MergedTarget, RecordedDocument } from '#server/indexes/indexes.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import { type Passage, passagesOf, titleOf } from './passages.ts';
import { type Question, readQuestion, tellingWords } from './question.ts';
import { stemOf } from './words.ts';

export type AskedCollection = CollectionHandle & { name: string };

/** A document, by where it lies. */
export interface DocumentPlace {
  collectionId: number;
  id: string;
}

/** A document that an answer may rest on. */
export interface Source {
  collection: AskedCollection;
  id: string;
  title: string;
  /** Of the search that found it. */
  score: number;
  /** The conversation is about it already. */
  isMeant: boolean;
  /** The collection version that wrote it. */
  version: number;
  passages: Passage[];
}

export interface Retrieved {
  question: Question;
  /** Best first. */
  sources: Source[];
}

interface Asked {
  collections: AskedCollection[];
  /** What was understood of the message. */
  question: string;
  contextLimit: number;
  /** Documents that the conversation is about: they are looked at whatever the search finds. */
  focus: DocumentPlace[];
  /** Hears the bytes of documents that are in memory until the answer is made; what it throws ends the work. */
  hold?: ((bytes: number) => void) | undefined;
  /** Waited for where there is much to compute. */
  turn: () => Promise<void>;
}

interface Hit extends DocumentPlace {
  collection: AskedCollection;
  score: number;
}

/** That are looked for in long texts. */
const soughtWordsMax = 24;

/** The documents most about the question, by words and meaning, over all collections, with what of them can be quoted. */
export async function retrieve(
  indexes: Pick<Indexes, 'searchMerged' | 'recorded' | 'countWords'>,
  asked: Asked,
  signal: AbortSignal,
): Promise<Retrieved> {
  const { turn } = asked;
  const hits = await searchAll(indexes, asked, signal);
  await turn();
  const words = [...new Set(tellingWords(asked.question).map(({ token }) => token))];
  const searched = new Set(hits.map(({ collection }) => collection));
  const rarity = await rarities(indexes, { collections: [...searched], words, signal });
  await turn();
  const question = readQuestion(asked.question, rarity);
  const best = [...question.weights].sort(([, a], [, b]) => b - a).slice(0, soughtWordsMax);
  const stems = new Set(best.map(([stem]) => stem.replace(/[iy]$/, '')));
  const sources: Source[] = [];
  const recorded = await recordedOf(indexes, hits, asked.hold);
  const sentencesMax = Math.floor(limits.chatSentencesReadMax / Math.max(1, recorded.length));
  for (const { hit, document } of recorded) {
    signal.throwIfAborted();
    await turn();
    const stored = (await parseInTurns(document.source, turn)) as StoredDocument;
    await turn();
    const { collection, id, score } = hit;
    const isMeant = asked.focus.some((place) => isSame(place, hit));
    const passages = await passagesOf(stored, { words: stems, sentencesMax }, turn);
    sources.push({
      collection,
      id,
      score,
      isMeant,
      version: document.version,
      title: titleOf(stored),
      passages,
    });
  }
  return { question, sources };
}

/** Ids and scores alone; what has no place in the context is left out. */
async function searchAll(
  indexes: Pick<Indexes, 'searchMerged'>,
  { collections, question, contextLimit, focus }: Asked,
  signal: AbortSignal,
): Promise<Hit[]> {
  // A question in plain words may quote somebody, and means no operators.
  const query = withoutOperators(question.slice(0, limits.queryCharactersMax).toWellFormed());
  // What an owner has put in its place by hand is no evidence.
  const parameters = {
    query,
    prefix: false,
    enable_overrides: false,
    include_fields: ['id'],
    highlight_fields: [],
  };
  const targets = collections.map(
    (collection): MergedTarget => ({
      index: 0,
      reference: collection.name,
      collection,
      search: { ...parameters, mode: 'hybrid' },
    }),
  );
  const page = { page: 1, per_page: contextLimit };
  const { answer, failed } = await indexes.searchMerged(targets, page, signal);
  // Without one of the collections "nothing was found" might be untrue.
  const [first] = failed;
  if (first) throw first.error;
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const found = answer.hits.flatMap((text): Hit[] => {
    const { id, score, collection: label } = text.parse();
    const collection = byId.get(label.id);
    return collection ? [{ collection, collectionId: label.id, id, score }] : [];
  });
  const isFocus = (hit: DocumentPlace) => focus.some((place) => isSame(place, hit));
  const focused = focus.flatMap((place): Hit[] => {
    const collection = byId.get(place.collectionId);
    const known = found.find((hit) => isSame(hit, place));
    return collection ? [{ ...place, collection, score: known?.score ?? 0 }] : [];
  });
  return [...focused, ...found.filter((hit) => !isFocus(hit))].slice(0, contextLimit);
}

function isSame(a: DocumentPlace, b: DocumentPlace): boolean {
  return a.collectionId === b.collectionId && a.id === b.id;
}

/** Of few documents it cannot be told which words are rare: they count as if there were so many. */
const documentsMin = 1_000;

/** How much a word says: the fewer documents hold it, the more (BM25's idf). Of words that were not counted, as if none did. */
async function rarities(
  indexes: Pick<Indexes, 'countWords'>,
  { collections, words, signal }: { collections: AskedCollection[]; words: string[]; signal: AbortSignal },
): Promise<(stem: string) => number> {
  const counts = await Promise.all(
    collections.map((collection) => indexes.countWords(collection, words, signal)),
  );
  const documents = Math.max(
    documentsMin,
    counts.reduce((sum, each) => sum + each.documents, 0),
  );
  const byStem = new Map<string, number>();
  for (const [place, word] of words.entries()) {
    const stem = stemOf(word);
    const holding = counts.reduce((sum, each) => sum + (each.holding[place] ?? 0), 0);
    byStem.set(stem, Math.max(holding, byStem.get(stem) ?? 0));
  }
  return (stem) => {
    const holding = byStem.get(stem) ?? 0;
    return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
  };
}

/**
 * As the record has them, so that a quotation belongs to a version: collections have even shares of the bytes, the first of all documents is taken
 * whatever it has. One that is gone meanwhile is left out.
 */
async function recordedOf(
  indexes: Pick<Indexes, 'recorded'>,
  hits: Hit[],
  hold: Asked['hold'],
): Promise<{ hit: Hit; document: RecordedDocument }[]> {
  const collections = [...new Set(hits.map(({ collection }) => collection))];
  const documents = new Map<AskedCollection, Map<string, RecordedDocument>>();
  let left: number = limits.chatSourceBytesMax;
  for (const [place, collection] of collections.entries()) {
    const ids = hits.filter((hit) => hit.collection === collection).map(({ id }) => id);
    const bytesMax = Math.floor(left / (collections.length - place));
    const recorded = await indexes.recorded(collection, ids, bytesMax);
    const bytes = recorded.reduce((sum, { source }) => sum + Buffer.byteLength(source), 0);
    // One that is larger than its share may be larger than all that is left.
    if (place > 0 && bytes > left) continue;
    hold?.(bytes);
    left = Math.max(0, left - bytes);
    documents.set(collection, new Map(recorded.map((each) => [each.id, each])));
  }
  return hits.flatMap((hit) => {
    const document = documents.get(hit.collection)?.get(hit.id);
    return document ? [{ hit, document }] : [];
  });
}

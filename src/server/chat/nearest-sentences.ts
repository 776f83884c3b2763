import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { FoundPassage, NearestSentence } from '#shared/nearest-sentences.ts';
import { type PlacedSentence, passageSentences } from './passage-sentences.ts';
import { holdsOneOf, passagesOf } from './passages.ts';

/** The spaces of higher dimensions add letters to the model's own. */
const dimension = 384;
/** Of one document; of longer ones those count that hold words of the query. */
const sentencesMax = 40;
/** Of one passage. Where very short ones are more, those count that hold words of the query, and the longest. */
const passageSentencesMax = 80;
/** Embedded without a pause: some thirty microseconds each. */
const embeddedAtOnce = 32;

interface Parts {
  indexes: Pick<Indexes, 'recorded'>;
  embedder: Pick<Embedder, 'embedQuery'>;
}

export interface SentencesAsked {
  collection: WritableCollection;
  query: string;
  /** Of a document that stands there twice, the last counts. */
  hits: { id: string; passage?: FoundPassage | undefined }[];
}

export interface SentencesListening {
  signal: AbortSignal;
  /** Hears the bytes of documents that are in memory until it is answered. What it throws ends the work. */
  hold: (bytes: number) => void;
}

/**
 * Of each document that has sentences, the one whose meaning is nearest to the query: of its passage, where one is named and there.
 * @throws what the record throws; the signal's reason
 */
export async function nearestSentences(
  { indexes, embedder }: Parts,
  { collection, query, hits }: SentencesAsked,
  { signal, hold }: SentencesListening,
): Promise<NearestSentence[]> {
  const turn = () => loopTurns.next(collection.for);
  const words = wordsIn(query);
  const passages = new Map(hits.map(({ id, passage }) => [id, passage]));
  const documents = await indexes.recorded(collection, [...passages.keys()], limits.chatSourceBytesMax);
  hold(documents.reduce((sum, { source }) => sum + Buffer.byteLength(source), 0));
  const meaning = await embedder.embedQuery(query, dimension);
  const nearest: NearestSentence[] = [];
  let embedded = 0;
  for (const { id, source } of documents) {
    signal.throwIfAborted();
    const document = (await parseInTurns(source, turn)) as StoredDocument;
    const asked = { collection, passage: passages.get(id), words };
    let best: NearestSentence | null = null;
    for (const { field, start, end, text } of await sentencesOf(document, asked, turn)) {
      embedded += 1;
      if (embedded % embeddedAtOnce === 0) await turn();
      signal.throwIfAborted();
      const similarity = dot(meaning, await embedder.embedQuery(text, dimension));
      if (similarity > (best?.similarity ?? Number.NEGATIVE_INFINITY))
        best = { id, field, start, end, text, similarity };
    }
    if (best) nearest.push(best);
  }
  return nearest;
}

function wordsIn(query: string): ReadonlySet<string> {
  return new Set(
    query
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu)
      ?.slice(0, sentencesMax),
  );
}

interface Wanted {
  collection: WritableCollection;
  passage: FoundPassage | undefined;
  words: ReadonlySet<string>;
}

/** Those that are compared. */
async function sentencesOf(
  document: StoredDocument,
  { collection, passage, words }: Wanted,
  turn: () => Promise<void>,
): Promise<PlacedSentence[]> {
  if (passage) {
    await turn();
    const steps = passageSentences(collection, document, passage);
    const found = await stepsInTurns(collection.for, steps);
    if (found.length > 0) return mostTelling(found, words);
  }
  const all = await passagesOf(document, { words, sentencesMax }, turn);
  return all.flatMap(({ kind, text, spans: [span] }) =>
    kind === 'sentence' && span ? [{ ...span, text }] : [],
  );
}

function mostTelling(sentences: PlacedSentence[], words: ReadonlySet<string>): PlacedSentence[] {
  if (sentences.length <= passageSentencesMax) return sentences;
  return sentences
    .map((sentence) => ({ sentence, holds: Number(holdsOneOf(words, sentence.text)) }))
    .sort((a, b) => b.holds - a.holds || b.sentence.text.length - a.sentence.text.length)
    .slice(0, passageSentencesMax)
    .map(({ sentence }) => sentence);
}

/** Of vectors of length 1: their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

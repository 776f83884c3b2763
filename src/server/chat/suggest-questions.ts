import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Indexes } from '#server/indexes/indexes.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import { suggestedQuestionsMax } from '#shared/chat.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { Answered, ChatQuestion } from './chat-question.ts';
import { passagesOf, titleOf } from './passages.ts';
import { type PossibleQuestion, possibleQuestions } from './possible-questions.ts';
import type { AskedCollection } from './retrieve.ts';

/** Collections that are looked at for documents, and those of them that questions are made of. */
const collectionsSeenMax = 12;
const collectionsMax = suggestedQuestionsMax;
const documentsMax = 8;
/** Of one document. */
const sentencesMax = 40;
/** Each costs as much as a question. */
const triesMax = 12;

interface Asking {
  signal: AbortSignal;
  /** Hears how much of documents is in memory. What it throws ends the work. */
  hold: (bytes: number) => void;
  ask: (question: ChatQuestion) => Promise<Pick<Answered, 'answered' | 'sources' | 'sentences'>>;
}

/** A document that questions are made of. */
interface Subject {
  id: string;
  collectionId: number;
  questions: PossibleQuestion[];
}

/**
 * Questions that the collections answer: made of the titles and fields of some documents, of different kinds, and each asked before it is suggested.
 * The same documents give the same questions. None where there are no documents, or none that can be asked about.
 */
export async function suggestQuestions(
  indexes: Pick<Indexes, 'list' | 'recorded'>,
  collections: AskedCollection[],
  { signal, hold, ask }: Asking,
): Promise<string[]> {
  const subjects = await subjectsOf(indexes, collections, { signal, hold });
  const suggested: PossibleQuestion[] = [];
  const timesUsed = (kind: string) => suggested.filter((each) => each.kind === kind).length;
  let tries = 0;
  // One of each document, then a second one.
  while (subjects.some(({ questions }) => questions.length > 0)) {
    for (const subject of subjects) {
      const [next, ...others] = subject.questions.toSorted((a, b) => timesUsed(a.kind) - timesUsed(b.kind));
      if (!next) continue;
      subject.questions = others;
      signal.throwIfAborted();
      tries += 1;
      if (await isAnswered(next.text, { subject, collections, ask })) suggested.push(next);
      if (suggested.length === suggestedQuestionsMax || tries === triesMax)
        return suggested.map(({ text }) => text);
    }
  }
  return suggested.map(({ text }) => text);
}

/** By the document that it is about. */
async function isAnswered(
  message: string,
  { subject, collections, ask }: { subject: Subject; collections: AskedCollection[] } & Pick<Asking, 'ask'>,
): Promise<boolean> {
  const [first] = collections;
  if (!first) return false;
  const { answered, sources, sentences } = await ask({
    collections,
    message,
    contextLimit: suggestedQuestionsMax,
    model: 'vector-ai',
    turns: [],
    for: first.for,
  });
  const cited = sources[(sentences[0]?.citations[0]?.source ?? 0) - 1];
  return answered && cited?.id === subject.id && cited.collection.id === subject.collectionId;
}

async function subjectsOf(
  indexes: Pick<Indexes, 'list' | 'recorded'>,
  collections: AskedCollection[],
  { signal, hold }: Pick<Asking, 'signal' | 'hold'>,
): Promise<Subject[]> {
  let bytes = 0;
  const filled: { collection: AskedCollection; found: number }[] = [];
  for (const collection of collections.slice(0, collectionsSeenMax)) {
    const { found } = await idAt(indexes, { collection, place: 1 }, signal);
    if (found > 0) filled.push({ collection, found });
    if (filled.length === collectionsMax) break;
  }
  const each = Math.ceil(documentsMax / Math.max(1, filled.length));
  const subjects = await Promise.all(
    filled.map(async ({ collection, found }) => {
      const ids: string[] = [];
      for (const place of placesIn(Math.min(found, limits.pagedRowsMax), each)) {
        const { id } = await idAt(indexes, { collection, place }, signal);
        if (id !== undefined) ids.push(id);
      }
      const bytesMax = Math.floor(limits.chatSourceBytesMax / filled.length);
      const recorded = await indexes.recorded(collection, ids, bytesMax);
      bytes += recorded.reduce((sum, { source }) => sum + Buffer.byteLength(source), 0);
      hold(bytes);
      return await Promise.all(recorded.map(({ source }) => toSubject(collection, source)));
    }),
  );
  return inTurnsOf(subjects);
}

/** Spread over all of a list. */
function placesIn(found: number, count: number): number[] {
  const places = Array.from({ length: count }, (_, i) => Math.floor((i * found) / count) + 1);
  return [...new Set(places)];
}

/** The id of the document at a place of the list, and how many there are. */
async function idAt(
  indexes: Pick<Indexes, 'list'>,
  { collection, place }: { collection: AskedCollection; place: number },
  signal: AbortSignal,
): Promise<{ id: string | undefined; found: number }> {
  const page = {
    page: place,
    perPage: 1,
    filterBy: undefined,
    sortBy: undefined,
    includeFields: ['id'],
    excludeFields: undefined,
    answerBytesMax: limits.documentBytesMax,
  };
  const { found, documents } = await indexes.list(collection, page, signal);
  return { found, id: documents.parse()[0]?.id };
}

async function toSubject(collection: AskedCollection, source: string): Promise<Subject> {
  const turn = () => loopTurns.next(collection.for);
  const document = (await parseInTurns(source, turn)) as StoredDocument;
  const passages = await passagesOf(document, { words: new Set(), sentencesMax }, turn);
  const title = titleOf(document);
  const questions = possibleQuestions(title === document.id ? null : title, passages);
  return { id: document.id, collectionId: collection.id, questions };
}

/** The first of each list, then the second of each. */
function inTurnsOf<Item>(lists: Item[][]): Item[] {
  const most = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

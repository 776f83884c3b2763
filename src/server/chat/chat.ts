import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { Indexes } from '#server/indexes/indexes.ts';
import type { AnswerSentence, ChatEvent, ChatSource, OfferedModel } from '#shared/chat.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import type { Answered, ChatQuestion, CitedDocument } from './chat-question.ts';
import { composeAnswer, nothingFound } from './compose-answer.ts';
import {
  getProvider,
  type ModelProvider,
  type ModelSettings,
  offeredModels,
} from './models/model-providers.ts';
import type { TakeOfModels } from './models/model-ration.ts';
import { writeByModel } from './models/write-by-model.ts';
import { nearestSentences, type SentencesAsked, type SentencesListening } from './nearest-sentences.ts';
import { shortened } from './passages.ts';
import { resolveFollowUp, type Turn } from './resolve-follow-up.ts';
import { type AskedCollection, type Retrieved, retrieve, type Source } from './retrieve.ts';
import { type ScoredPassage, scorePassages } from './score-passages.ts';
import { suggestQuestions } from './suggest-questions.ts';

interface Listening {
  signal: AbortSignal;
  /** Hears what is there already. */
  tell?: ((event: ChatEvent) => void) | undefined;
  /** Hears that from now on a provider is waited for. What it throws ends the work. */
  waitElsewhere?: (() => void) | undefined;
  /** Hears what is held in memory until the answer is made. What it throws ends the work. */
  hold?: ((bytes: number) => void) | undefined;
}

interface Suggesting {
  signal: AbortSignal;
  /** Hears how much is held in memory in all, each time that it changes. What it throws ends the work. */
  holdInAll: (bytes: number) => void;
}

/** Questions answered from the documents of collections, with citations. */
export interface Chat {
  /** @throws AppError what searching throws, UNPROCESSABLE, TOO_MANY_REQUESTS and UNAVAILABLE of a model; the signal's reason when aborted */
  ask(question: ChatQuestion, listening: Listening): Promise<Answered>;
  models(): OfferedModel[];
  /** Questions that these collections answer. @throws AppError what searching throws; the signal's reason */
  suggest(collections: AskedCollection[], listening: Suggesting): Promise<string[]>;
  /** Of each of these documents that has sentences, the one nearest to the query. @throws AppError what reading documents throws; the signal's reason */
  nearestSentences(asked: SentencesAsked, listening: SentencesListening): Promise<NearestSentence[]>;
}

export interface ChatParts {
  indexes: Pick<Indexes, 'searchMerged' | 'recorded' | 'countWords' | 'list'>;
  embedder: Pick<Embedder, 'embedQuery'>;
  settings: ModelSettings;
  takeOfModels: TakeOfModels;
}

/** What is said, and what of it the sources say. */
interface Written {
  answer: string;
  answered: boolean;
  sentences: AnswerSentence[];
}

export function createChat({ indexes, embedder, settings, takeOfModels }: ChatParts): Chat {
  const chat: Chat = {
    models: () => offeredModels(settings),
    suggest: (collections, { signal, holdInAll }) =>
      suggestQuestions(indexes, collections, {
        signal,
        hold: holdInAll,
        ask(question) {
          // One after the other: what the one before has read is free again.
          let bytes = 0;
          const hold = (more: number) => {
            bytes += more;
            holdInAll(bytes);
          };
          return chat.ask(question, { signal, hold });
        },
      }),
    nearestSentences: (asked, listening) => nearestSentences({ indexes, embedder }, asked, listening),
    async ask({ collections, message, contextLimit, model, turns, for: requester }, listening) {
      const { signal, tell, hold } = listening;
      const provider = model === 'vector-ai' ? null : getProvider(settings, model);
      if (provider) await takeOfModels(requester);
      const turn = () => loopTurns.next(requester);
      await turn();
      const { question, focus } = resolveFollowUp(message, turns);
      const asked = { collections, question, contextLimit, focus, hold, turn };
      const retrieved = await retrieve(indexes, asked, signal);
      const scored = await scorePassages(embedder, retrieved, requester);
      signal.throwIfAborted();
      const found: Found = { retrieved, scored, collections, message, turns, turn };
      const tellSources = (sources: ChatSource[]) =>
        tell?.({ event: 'sources', data: { question, sources } });
      const { sources, ...written } = provider
        ? await writeWith(provider, found, { ...listening, tellSources })
        : quote(found, { ...listening, tellSources });
      for (const sentence of written.sentences) tell?.({ event: 'citation', data: sentence });
      const cited = citedDocuments(retrieved.sources, written.sentences);
      const labels = collections.map(({ id, name }) => ({ id, name }));
      return { ...written, collections: labels, model, question, sources, cited };
    },
  };
  return chat;
}

/** All that an answer is written from. */
interface Found {
  retrieved: Retrieved;
  scored: ScoredPassage[];
  collections: AskedCollection[];
  message: string;
  turns: Turn[];
  /** Waited for where there is much to compute. */
  turn: () => Promise<void>;
}

type Telling = Listening & { tellSources: (sources: ChatSource[]) => void };
type WithSources = Written & { sources: ChatSource[] };

/** An answer of the documents' own sentences. */
function quote({ retrieved, scored, collections }: Found, { tell, tellSources }: Telling): WithSources {
  const composed = composeAnswer(scored, retrieved.question);
  const sources = composed ? toSources(retrieved, scored) : [];
  const answer = composed?.text ?? nothingFound(collections);
  tellSources(sources);
  tell?.({ event: 'delta', data: { text: answer } });
  return { answer, answered: composed !== null, sentences: composed?.sentences ?? [], sources };
}

/** An answer that a model writes from the sources. */
async function writeWith(
  provider: ModelProvider,
  { retrieved, scored, collections, message, turns, turn }: Found,
  { signal, tell, tellSources, waitElsewhere }: Telling,
): Promise<WithSources> {
  const sources = toSources(retrieved, scored);
  const nothing = nothingFound(collections);
  const tellText = (text: string) => tell?.({ event: 'delta', data: { text } });
  if (sources.length === 0) {
    tellSources(sources);
    tellText(nothing);
    return { answer: nothing, answered: false, sentences: [], sources };
  }
  waitElsewhere?.();
  const asked = { question: retrieved.question.text, message, sources: retrieved.sources, scored, turns };
  const written = await writeByModel(
    provider,
    { ...asked, nothing },
    {
      signal,
      turn,
      tellText,
      // A model that fails before its first word is an error like any other.
      onFirst: () => tellSources(sources),
    },
  );
  return { ...written, sources };
}

const snippetCharactersMax = 300;

function toSources({ sources }: Retrieved, scored: ScoredPassage[]): ChatSource[] {
  return sources.map((source) => {
    const best = scored.find((each) => each.source === source)?.passage ?? source.passages[0];
    const { id, title, score, collection } = source;
    const snippet = shortened(best?.text ?? '', snippetCharactersMax);
    return { id, title, snippet, score, collection: { id: collection.id, name: collection.name } };
  });
}

function citedDocuments(sources: Source[], sentences: AnswerSentence[]): CitedDocument[] {
  const cited = new Set(sentences.flatMap(({ citations }) => citations.map(({ source }) => source)));
  return [...cited]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const source = sources[number - 1];
      if (!source) return [];
      const { collection, id, version } = source;
      return [{ source: number, collectionId: collection.id, documentId: id, version }];
    });
}

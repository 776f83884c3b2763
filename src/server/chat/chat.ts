import type { Requester } from '#server/admission/requester.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { AppError } from '#server/errors.ts';
import type { Indexes } from '#server/indexes/indexes.ts';
import type { AnswerSentence, ChatAnswer, ChatEvent, ChatModel, ChatSource } from '#shared/chat.ts';
import { composeAnswer, nothingFound } from './compose-answer.ts';
import { getProvider, type LanguageModelName, type ModelSettings } from './models/model-providers.ts';
import { shortened } from './passages.ts';
import { resolveFollowUp, type Turn } from './resolve-follow-up.ts';
import { type AskedCollection, type Retrieved, retrieve, type Source } from './retrieve.ts';
import { type ScoredPassage, scorePassages } from './score-passages.ts';

interface ChatQuestion {
  collections: AskedCollection[];
  message: string;
  contextLimit: number;
  model: ChatModel;
  /** The conversation so far, its end at least. */
  turns: Turn[];
  for: Requester;
}

/** A document that an answer cites, in the version that it quotes. */
interface CitedDocument {
  /** Which of the answer's sources, from 1. */
  source: number;
  collectionId: number;
  documentId: string;
  version: number;
}

export interface Answered extends Omit<ChatAnswer, 'conversation_id' | 'took_ms'> {
  cited: CitedDocument[];
}

interface Listening {
  signal: AbortSignal;
  /** Hears what is there already. */
  tell?: ((event: ChatEvent) => void) | undefined;
}

/** Questions answered from the documents of collections, with citations. */
export interface Chat {
  /** @throws AppError what searching throws; the signal's reason when aborted */
  ask(question: ChatQuestion, listening: Listening): Promise<Answered>;
}

export interface ChatParts {
  indexes: Pick<Indexes, 'searchMerged' | 'recorded' | 'countWords'>;
  embedder: Pick<Embedder, 'embedQuery'>;
  settings: ModelSettings;
}

export function createChat({ indexes, embedder, settings }: ChatParts): Chat {
  return {
    async ask({ collections, message, contextLimit, model, turns, for: requester }, { signal, tell }) {
      if (model !== 'vector-ai') throw notThere(settings, model);
      const { question, focus } = resolveFollowUp(message, turns);
      const retrieved = await retrieve(indexes, { collections, question, contextLimit, focus }, signal);
      const scored = await scorePassages(embedder, retrieved, requester);
      signal.throwIfAborted();
      const composed = composeAnswer(scored, retrieved.question.kind);
      const sources = composed ? toSources(retrieved, scored) : [];
      const answer = composed?.text ?? nothingFound(collections);
      const sentences = composed?.sentences ?? [];
      tell?.({ event: 'sources', data: { question, sources } });
      tell?.({ event: 'delta', data: { text: answer } });
      for (const sentence of sentences) tell?.({ event: 'citation', data: sentence });
      const cited = citedDocuments(retrieved.sources, sentences);
      return { answer, answered: composed !== null, model, question, sources, sentences, cited };
    },
  };
}

function notThere(settings: ModelSettings, model: LanguageModelName): AppError {
  const { name } = getProvider(settings, model);
  return new AppError('UNPROCESSABLE', `The model "${name}" cannot be asked yet`);
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

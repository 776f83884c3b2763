import type { RecordStore } from '#server/db/client.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type {
  ComparableModels,
  ComparedAmong,
  ComparedQuery,
  ComparingProgress,
} from '#shared/comparisons.ts';
import type { EngineHost } from '../../host/engine-host.ts';
import type { WritableCollection } from '../../indexes.ts';
import type { CollectionModels } from '../../models/collection-models.ts';
import { embedderOf, type QueryEmbedder, type SharedEmbedder } from '../../models/query-embedder.ts';
import { MaintenanceLimits } from '../../registry/maintenance-limits.ts';
import { readState } from '../../registry/rows.ts';
import type { RuleBook } from '../../rules/rule-book.ts';
import type { Reader } from '../../search/merged-members.ts';
import { Searcher, type SearcherParts } from '../../search/searcher.ts';
import { compareQueries } from '../compare-queries.ts';
import type { AskCollection } from '../find-top.ts';
import { chooseDocuments } from './choose-documents.ts';
import { openPassingIndex, type PassingIndex } from './passing-index.ts';
import type { ProposedChange } from './proposed-change.ts';
import { liveModelName, type ProposedModel, proposedModels, steadyQueries } from './proposed-models.ts';
import { embedCompared, inTime, readCompared, toIndexed } from './read-compared.ts';

interface Parts {
  host: EngineHost;
  registry: Reader;
  record: Pick<RecordStore, 'as'>;
  models: Pick<CollectionModels, 'tierOf' | 'steady'>;
  rules: Pick<RuleBook, 'of' | 'drafted'>;
  embedder: Pick<Embedder, 'id' | 'embedDocuments' | 'upgradeDocument' | 'rest' | 'transformerState'>;
  service: Pick<EmbeddingService, 'id' | 'fits' | 'embedDocuments'> | null;
  queries: SharedEmbedder<QueryEmbedder>;
  searcher: Pick<SearcherParts, 'vocabularies' | 'clock' | 'answerBytesMax' | 'reranker'>;
  /** How long documents may take to be embedded. */
  embeddingMsMax: number;
  log: Log;
}

/** Less than the ids of what comes with the product. */
const firstId = -1_000;
/** Each has two indexes of up to `limits.comparedBytesMax`. */
const comparisonsMax = 2;

/**
 * Another model before a collection is moved to it. Nobody has its vectors of the whole collection, so it is compared among some documents: these are put into
 * two indexes that nobody keeps, with the vectors that they have and with those of the other model, and both are searched as the collection is. So both meet the
 * same documents and the same words.
 */
export class ModelComparer {
  readonly #parts: Parts;
  readonly #limit = new MaintenanceLimits({ what: 'comparisons of models', done: 'compared' });
  readonly #underWay = new Map<number, ComparingProgress>();
  #lastId = firstId;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a collection could be compared with, and how far a comparison that is made here is. @throws AppError UNAVAILABLE (the record) */
  async look({
    id,
    dimension,
    model,
  }: Pick<WritableCollection, 'id' | 'dimension'> & { model: string }): Promise<ComparableModels> {
    return {
      live: liveModelName(model, await this.#parts.models.tierOf(id)),
      models: proposedModels(this.#parts, dimension).map(({ name }) => name),
      comparing: this.#underWay.get(id) ?? null,
    };
  }

  /**
   * @throws AppError BAD_REQUEST (no such model, too few documents), TOO_MANY_REQUESTS, UNAVAILABLE (a model does not answer), UNPROCESSABLE (it takes
   * too long), the signal's reason
   */
  async compare(
    collection: WritableCollection,
    change: ProposedChange,
    signal: AbortSignal,
  ): Promise<{ compared: ComparedQuery[]; among: ComparedAmong }> {
    const proposed = proposedModels(this.#parts, collection.dimension);
    const model = proposed.find(({ name }) => name === change.model);
    if (!model)
      throw badRequest(
        'model',
        `is none that this server has for ${collection.dimension} dimensions: ${proposed.map(({ name }) => name).join(', ')}`,
      );
    if (change.mode === 'keyword')
      throw badRequest('mode', 'must be vector or hybrid where a model is compared: words need none');
    return await this.#limit.run(collection, async () => {
      if (this.#underWay.size >= comparisonsMax)
        throw new AppError('TOO_MANY_REQUESTS', 'Other models are being compared; try again in a moment', {
          retryAfterSeconds: 10,
        });
      const progress = { documents: 0, documentsDone: 0, queries: change.judged.length, queriesDone: 0 };
      this.#underWay.set(collection.id, progress);
      try {
        return await this.#compare(collection, { ...change, proposed: model }, { signal, progress });
      } finally {
        this.#underWay.delete(collection.id);
        await this.#parts.embedder.rest();
      }
    });
  }

  async #compare(
    collection: WritableCollection,
    { proposed, judged, mode, draft, at, documentsMax }: ProposedChange & { proposed: ProposedModel },
    { signal, progress }: { signal: AbortSignal; progress: ComparingProgress },
  ) {
    const { record, registry, models, rules, log, embeddingMsMax } = this.#parts;
    const { sql } = record.as(collection.for.tenant);
    const state = await readState(sql, collection.id);
    if (!state) throw notFound('Collection');
    const [before, after] = await Promise.all([
      rules.drafted(collection, {}),
      rules.drafted(collection, draft),
    ]);
    // Rows and the model that they are of, of one moment.
    const { rows, tier } = await models.steady([collection.id], async () => {
      const tier = await models.tierOf(collection.id);
      const asks = [...new Set([before, after])].map((by) =>
        this.#ask({ collection, by, at, tier }, registry),
      );
      const asked = { judged, documentCount: state.documentCount, documentsMax, signal };
      const ids = await chooseDocuments({ registry, asks }, collection, asked);
      return { rows: await readCompared(sql, collection.id, { ids, signal }), tier };
    });
    progress.documents = rows.length;
    const tooLong = () =>
      new AppError(
        'UNPROCESSABLE',
        `The model embedded ${progress.documentsDone} of ${rows.length} documents in ${embeddingMsMax / 1_000} s: compare among fewer of them ("documents")`,
      );
    const embedded = await inTime(signal, { msMax: embeddingMsMax, tooLong }, (inTimeSignal) =>
      embedCompared({ model: proposed.documents, log }, collection, {
        rows,
        signal: inTimeSignal,
        tell: (done) => {
          progress.documentsDone = done;
        },
      }),
    );
    const { dimension, metric } = collection;
    const settings = { dimension, metric, fields: state.fields, language: state.language };
    const opened: PassingIndex[] = [];
    const open = async (documents: Parameters<typeof openPassingIndex>[2]['documents']) => {
      const id = --this.#lastId;
      const index = await openPassingIndex(this.#parts.host, collection, { id, settings, documents, signal });
      opened.push(index);
      return index.reader;
    };
    try {
      const ways = {
        before: this.#ask({ collection, by: before, at, tier }, await open(rows.map(toIndexed))),
        after: sure(
          this.#ask({ collection, by: after, at, tier: proposed.tier }, await open(embedded.documents)),
        ),
      };
      const tell = (done: number) => {
        progress.queriesDone = done;
      };
      const compared = await compareQueries(ways, { mode, judged }, { signal, tell });
      const among = {
        model: proposed.name,
        documents: rows.length,
        of: Math.max(rows.length, state.documentCount),
        refused: embedded.refused,
        // Whichever keeps the indexes.
        engine: 'embedded' as const,
      };
      return { compared, among };
    } finally {
      await Promise.all(opened.map((index) => index.close()));
    }
  }

  /** Searches an index as the collection is searched. Relevance was fitted to the live model, so that none cuts by it. */
  #ask(
    {
      collection,
      by,
      at,
      tier,
    }: {
      collection: WritableCollection;
      by: Awaited<ReturnType<RuleBook['of']>>;
      at: Date;
      tier: ProposedModel['tier'];
    },
    registry: Reader,
  ): AskCollection {
    const { rules, queries, embedder, searcher } = this.#parts;
    const asked = new Searcher({
      registry,
      rules,
      embedder: steadyQueries(embedderOf(queries, collection.for.tenant), embedder),
      tierOf: () => tier,
      ...searcher,
    });
    return (search, signal) =>
      asked.searchBy(collection, { ...search, min_relevance: 0 }, { rules: by, now: at }, signal);
  }
}

/** By words alone it would be compared with nothing. @throws AppError UNAVAILABLE */
function sure(ask: AskCollection): AskCollection {
  return async (search, signal) => {
    const answer = await ask(search, signal);
    const { without_meaning: reason } = answer.request;
    if (reason) throw new AppError('UNAVAILABLE', reason, { retryAfterSeconds: 5 });
    return answer;
  };
}

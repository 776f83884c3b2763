import path from 'node:path';
import { ByteShares } from '#server/admission/byte-shares.ts';
import { limits } from '#shared/limits.ts';
import { Documents } from './documents.ts';
import { ImportRecords } from './imports/import-records.ts';
import type { Indexes } from './indexes.ts';
import type { IndexesOptions } from './indexes-options.ts';
import { createLanguageDetector } from './language/language-detector.ts';
import { CollectionModels } from './models/collection-models.ts';
import { createQueryEmbedder } from './models/query-embedder.ts';
import { IndexRegistry } from './registry/index-registry.ts';
import { MaintenanceLimits } from './registry/maintenance-limits.ts';
import { readRecorded } from './registry/rows.ts';
import { SnapshotFiles } from './registry/snapshot-files.ts';
import { withStandIn } from './registry/stand-in-indexes.ts';
import { verifyIndex } from './registry/verify-index.ts';
import { calibrate } from './relevance/calibration/calibrate.ts';
import { ModelComparer } from './relevance/models/model-comparer.ts';
import { checkFit } from './rules/check-fit.ts';
import { RuleBook } from './rules/rule-book.ts';
import { countWords } from './search/count-words.ts';
import { explainDocument } from './search/explain/explainer.ts';
import { RequestWork } from './search/request-work.ts';
import { searchMerged } from './search/search-merged.ts';
import { Searcher } from './search/searcher.ts';
import { PopularQueries } from './suggest/popular-queries.ts';
import { Suggester } from './suggest/suggester.ts';
import { Vocabularies } from './understand/vocabularies.ts';
import { createModelMover } from './upgrade/model-mover.ts';
import { createMoveForgetter } from './upgrade/move-forgetter.ts';
import { createServiceUpgrader } from './upgrade/service-upgrader.ts';
import { createTransformerUpgrader } from './upgrade/transformer-upgrader.ts';
import type { Upgrader } from './upgrade/upgrader.ts';
import { Upgrades } from './upgrade/upgrades.ts';
import { ByteBudget } from './write/byte-budget.ts';
import { dryRun } from './write/dry-run.ts';
import { FilteredChanges } from './write/filtered-changes.ts';
import { Ingest } from './write/ingest.ts';
import { importUpload } from './write/upload.ts';

const tickMs = 1_000;
const transformerTimes = { delayMs: 2_000, retryMs: 30_000 };
/** Until then a document is found by its words alone. */
const serviceTimes = { delayMs: 200, retryMs: 10_000 };
/** Early in an import: what is indexed by then is indexed anew where its language is another than English. */
const languageTimes = { delayMs: 500, retryMs: 30_000 };

/** The parts of `indexes/` put together. Nothing is opened or read before the first collection is used. */
export function createIndexes({ record, embedder, settings, log, host, ...rest }: IndexesOptions): Indexes {
  const now = rest.now ?? (() => performance.now());
  /** By this server or another one. */
  const noteChanged = (collectionId: number) => {
    vocabularies.outdate(collectionId);
    upgrades?.note(collectionId);
    embeddings?.note(collectionId);
    moves?.note(collectionId);
    languages?.note(collectionId);
  };
  const onChanged = (collectionId: number) => {
    noteChanged(collectionId);
    rest.onChanged?.(collectionId);
  };
  const embedded = (given: { savesSnapshots: boolean }) =>
    new IndexRegistry({
      ...given,
      host,
      sql: record.sql,
      sqlOf: (tenant) => record.as(tenant).sql,
      log,
      files: new SnapshotFiles(path.join(settings.dataDir, 'indexes')),
      memoryBytesMax: settings.indexMemoryBytes,
      memoryWaitMs: rest.memoryWaitMs ?? 10_000,
      turnWaitMs: rest.turnWaitMs ?? 60_000,
      assertWritable: (options) => record.assertWritable(options),
      changesWithoutIdleMax: rest.changesWithoutIdleMax ?? 50_000,
      snapshotsBytesMax: rest.snapshotsBytesMax ?? limits.snapshotsBytesMax,
      now,
      onChanged,
    });
  const registry = withStandIn(rest.engineOf?.(onChanged), embedded, now);
  const vocabularies = new Vocabularies({ registry, log, now });
  const service = rest.service ?? null;
  const models = new CollectionModels({
    record,
    embedder,
    service,
    isMoving: rest.movesCollections ?? false,
    onMoved: (collectionId) => record.tellServers({ kind: 'moved', ids: [collectionId] }),
    builtInTierOf: (collectionId) => upgrades?.tierOf(collectionId) ?? 'static',
  });
  const upgradesBy = (upgrader: Upgrader, times: { delayMs: number; retryMs: number }) =>
    new Upgrades({
      upgrader,
      log,
      leads: () => record.servers.leads('upgrades'),
      delayMs: rest.upgradeDelayMs ?? times.delayMs,
      retryMs: rest.upgradeRetryMs ?? times.retryMs,
    });
  const ofUpgrades = { registry, record, models, embedder, log };
  const upgrades =
    embedder.transformerState() === 'off'
      ? null
      : upgradesBy(
          createTransformerUpgrader({ ...ofUpgrades, makesWay: rest.makesWay ?? null }),
          transformerTimes,
        );
  const embeddings = service && upgradesBy(createServiceUpgrader({ ...ofUpgrades, service }), serviceTimes);
  const moves = rest.movesCollections
    ? upgradesBy(createModelMover({ ...ofUpgrades, service }), serviceTimes)
    : null;
  const givenUpMoves = upgradesBy(createMoveForgetter(ofUpgrades), transformerTimes);
  const onDetected = (collectionId: number) => rest.onChanged?.(collectionId);
  const languages =
    rest.detectsLanguages === false
      ? null
      : upgradesBy(createLanguageDetector({ record, registry, onDetected }), languageTimes);
  const tierOf = (collectionId: number) => models.tierOf(collectionId);
  const queryEmbedder = createQueryEmbedder(embedder, service);
  record.onRegained(() => registry.doubt());
  record.onNews((news) => {
    if (news === null) {
      models.doubt();
      void imports.cancelMissed();
      for (const each of [upgrades, embeddings, moves, languages]) each?.noteAll();
    }
    if (news?.kind === 'documents') for (const id of news.ids) noteChanged(id);
    if (news?.kind === 'moved') for (const id of news.ids) models.learnMoved(id);
    if (news?.kind === 'cancel') for (const id of news.ids) imports.cancelHere(id);
  });
  const budget = rest.importBudget ?? new ByteBudget(limits.importsBytesMax);
  const merged = new ByteBudget(limits.mergesBytesMax);
  const memory = rest.dryRunMemory ?? new ByteShares(limits.dryRunsBytesMax);
  const documentLimits = rest.documentLimits ?? null;
  const ingest = new Ingest({ registry, models, record, merged, documentLimits });
  const imports = new ImportRecords({ record, log, onProgress: rest.onImportProgress });
  const { answerBytesMax } = settings;
  const idsAtOnce = rest.idsAtOnce ?? Number.POSITIVE_INFINITY;
  const documents = new Documents({ registry, record, answerBytesMax, idsAtOnce });
  const filtered = new FilteredChanges({ registry, ingest, record, idsAtOnce });
  const clock = rest.clock ?? (() => new Date());
  const rules = new RuleBook(record);
  const ofQueries = { rules, clock, embedder: queryEmbedder, tierOf };
  const ofAnswers = { vocabularies, answerBytesMax, reranker: rest.reranker ?? null };
  const searcher = new Searcher({ registry, ...ofAnswers, ...ofQueries });
  const ofComparisons = { host, registry, record, models, rules, embedder, service, log };
  const comparer = new ModelComparer({
    ...ofComparisons,
    queries: queryEmbedder,
    searcher: { clock, ...ofAnswers },
    embeddingMsMax: rest.comparedEmbeddingMs ?? limits.comparedEmbeddingMs,
  });
  const popular = new PopularQueries({ record, log, clock, now });
  const suggester = new Suggester({ registry, popular, log, now });
  const repairs = new MaintenanceLimits({ what: 'repairs', done: 'repaired' });
  const verifications = new MaintenanceLimits({ what: 'verifications', done: 'verified' });
  const timer = setInterval(() => registry.tick(), tickMs);
  timer.unref();

  return {
    write: (collection, write, signal) => ingest.writeOne(collection, write, signal),
    imports,
    import: (collection, upload, signal) =>
      importUpload({ ingest, log, budget, record, records: imports }, collection, upload, signal),
    async *dryRun(collection, upload, signal) {
      await record.assertWritable();
      const { bulkSql } = record.as(collection.for.tenant);
      const parts = { sql: bulkSql, budget, merged, memory, documentLimits };
      yield* dryRun(parts, collection, upload, signal);
    },
    get: (collection, document, signal) => documents.get(collection, document, signal),
    getVersion: (collection, document) => documents.getVersion(collection, document),
    recorded: (collection, ids, bytesMax) =>
      readRecorded(record.as(collection.for.tenant).sql, collection.id, { ids, bytesMax }),
    countWords: (collection, words, signal) => countWords(registry, collection, { words, signal }),
    list: (collection, page, signal) => documents.list(collection, page, signal),
    export: (collection, exported, signal) => documents.export(collection, exported, signal),
    delete: (collection, id, holdAnswer) => documents.delete(collection, id, holdAnswer),
    deleteByFilter: (collection, change, signal) => filtered.delete(collection, change, signal),
    mergeByFilter: (collection, change, document, signal) =>
      filtered.merge(collection, change, document, signal),
    search: (collection, search, signal) =>
      models.steady([collection.id], () => searcher.search(collection, search, signal)),
    calibrate: (collection, judged, signal) => {
      const ofRequest = { for: collection.for, signal, budgetMs: rest.searchBudgetMs };
      const work = new RequestWork(ofRequest);
      return calibrate(judged, {
        ask: (query) =>
          models.steady([collection.id], () => searcher.judgedFigures(collection, query, signal)),
        runSteps: (steps) => work.runSteps(steps),
        signal,
      });
    },
    async drafted(collection, { draft, at: now = clock() }) {
      const by = { rules: await rules.drafted(collection, draft), now };
      return (search, signal) =>
        models.steady([collection.id], () => searcher.searchBy(collection, search, by, signal));
    },
    compareModel: (collection, change, signal) => comparer.compare(collection, change, signal),
    comparableModels: (collection) => comparer.look(collection),
    check: (collection, parameters, signal) => checkFit(registry, collection, { parameters, signal }),
    explain: (collection, search, signal) =>
      models.steady([collection.id], () =>
        explainDocument({ registry, vocabularies, ...ofQueries }, collection, search, signal),
      ),
    searchMerged: (targets, page, signal) =>
      models.steady(
        targets.map(({ collection }) => collection.id),
        () =>
          searchMerged({ registry, budgetMs: rest.searchBudgetMs, ...ofQueries }, targets, {
            answerBytesMax,
            ...page,
            signal,
          }),
      ),
    suggest: (collection, typed, signal) => suggester.suggest(collection, typed, signal),
    noteSearched: (collectionIds) => popular.noteWritten(collectionIds),
    similar: (collection, search, signal) =>
      models.steady([collection.id], () => searcher.similar(collection, search, signal)),
    read: (collection, request, signal) => registry.read(collection, request, signal),
    repair: (collection, note) =>
      repairs.run(collection, async () => {
        await note?.();
        return { documents: (await registry.repair(collection)).documentCount };
      }),
    verify: (collection, signal) =>
      verifications.run(collection, () => {
        const { sql: own } = record.as(collection.for.tenant);
        return (
          registry.verify?.(collection, signal) ?? verifyIndex({ registry, sql: own }, collection, signal)
        );
      }),
    readAnew: (collectionId) => registry.doubt(collectionId),
    drop: (collectionId) => {
      popular.drop(collectionId);
      suggester.drop(collectionId);
      vocabularies.drop(collectionId);
      return registry.drop(collectionId);
    },
    models: () => ({
      transformer: embedder.transformerState(),
      service: service && { id: service.id, ...service.state() },
    }),
    modelFor: (dimension) => models.modelFor(dimension),
    targetOf: (collection) => models.targetOf(collection),
    look: (collectionId) => registry.look(collectionId),
    assertThere: async () => registry.assertThere?.(),
    stats: () => ({ ...registry.stats(), importsUnderWay: imports.underWay }),
    async stop() {
      clearInterval(timer);
      await Promise.all([upgrades, embeddings, moves, givenUpMoves, languages].map((each) => each?.stop()));
      await registry.stop();
      await host.stop();
    },
  };
}

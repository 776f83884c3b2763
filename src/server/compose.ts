import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createAdmission } from './admission/admission.ts';
import { createRateLimits } from './admission/rate-limits.ts';
import { createRequestMemory } from './admission/request-memory.ts';
import { strangersName } from './admission/requester.ts';
import { startAlerts } from './alerts/start-alerts.ts';
import { createDenials } from './audit/denials.ts';
import { createAuth } from './auth/create-auth.ts';
import { createKnownCallers } from './auth/known/known-callers.ts';
import { assertSameSecret, checkAppSecret, loadAppSecret } from './auth/secrets/app-secret.ts';
import { reseal } from './auth/secrets/reseal.ts';
import { createSecretBox } from './auth/secrets/secret-box.ts';
import { createChat } from './chat/chat.ts';
import { createModelRation } from './chat/models/model-ration.ts';
import { openRecord } from './db/open-record.ts';
import { RateWindows } from './db/rate-windows.ts';
import { createProductDemo } from './demo/product-demo.ts';
import type { Deps } from './deps.ts';
import { createArticleFiles } from './documentation/article-files.ts';
import { createArticleSearch } from './documentation/article-search.ts';
import { createMachineTexts } from './documentation/machine-texts.ts';
import { createEmbedder } from './embeddings/create-embedder.ts';
import { createEmbeddingService } from './embeddings/create-embedding-service.ts';
import type { Embedder } from './embeddings/embedder.ts';
import type { EmbeddingService, ServiceStates } from './embeddings/embedding-service.ts';
import type { Settings } from './env.ts';
import { warnOfPlainHttp } from './http/origin/warn-of-plain-http.ts';
import { createIndexes } from './indexes/create-indexes.ts';
import type { EngineHost } from './indexes/host/engine-host.ts';
import { createWorkerHost } from './indexes/host/worker-host.ts';
import { createMakingWay } from './indexes/upgrade/making-way.ts';
import { createLive } from './live/live.ts';
import type { Log } from './log.ts';
import { createMailer } from './mail/mailer.ts';
import type { Figures } from './metrics/figures.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createMonitoring } from './monitoring/create-monitoring.ts';
import { Cluster, clientOf } from './opensearch/cluster.ts';
import { claimIndexes } from './opensearch/index-owner.ts';
import { forgetIndexes } from './opensearch/index-states.ts';
import { OpenSearchIndexes } from './opensearch/opensearch-indexes.ts';
import { resolveBySystem } from './outbound/find-addresses.ts';
import { documentLimits } from './quotas/document-quotas.ts';
import { createQuotas } from './quotas/quotas.ts';
import { RequestLog } from './request-log/request-log.ts';
import { RerankClient } from './reranking/rerank-client.ts';
import { startPurge } from './rpc/deletion/purge.ts';
import { createSampleLoads } from './samples/sample-loads.ts';
import { SearchLog } from './search-log/search-log.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export interface ComposeOptions {
  settings: Settings;
  log: Log;
  clock: () => Date;
  /** Milliseconds that only grow, by which it is told how long requests have been at work; absent: the process's own. */
  monotonic?: () => number;
  /** The repository's folder: migrations and models lie in it, wherever the code runs from. */
  rootDir: string;
  /** Where the engine runs; absent: in threads of its own. */
  host?: EngineHost;
}

export interface Parts {
  deps: Deps;
  /** Writes what is still in memory, then closes everything, the record last. */
  stop(): Promise<void>;
}

/** Builds the parts in the order in which they need each other; what was built is closed again when a later one fails. */
export async function compose({
  settings,
  log,
  clock,
  monotonic,
  rootDir,
  host,
}: ComposeOptions): Promise<Parts> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.reverse().splice(0)) {
      await close().catch((error: unknown) => log.error('a part did not close cleanly', { error }));
    }
  };
  try {
    const service = await createEmbeddingService({ settings, rootDir, log });
    if (service) closers.push(() => service.stop());
    const reranker =
      settings.rerank && new RerankClient({ ...settings.rerank, resolve: resolveBySystem, log });
    if (reranker) closers.push(async () => reranker.close());
    const record = await openRecord({
      settings,
      log,
      clock,
      waits: { waitMs: settings.databaseWaitMs, statementMs: settings.statementMs },
      migrationsFolder: path.join(rootDir, 'drizzle'),
    });
    closers.push(() => record.close());
    const secrets = createSecretBox(await loadAppSecret(settings.dataDir, settings.appSecret));
    await assertSameSecret(record, secrets);
    await warnOfOpenFolder(settings.dataDir, log);
    warnOfPlainHttp(settings, log);
    if (settings.appSecretFormer !== null) {
      await reseal({ record, secrets, former: createSecretBox(settings.appSecretFormer), log });
    }
    await checkAppSecret({ record, secrets, log });
    const known = createKnownCallers({ record, clock, settings });
    const mailer = settings.mail && createMailer(settings.mail);
    const auth = createAuth({
      record: record.as(strangersName),
      known,
      settings,
      secrets,
      mailer,
      log,
      clock,
    });
    closers.push(() => auth.flush());
    closers.push(() => auth.close());
    const denials = createDenials({ record, log, clock });
    closers.push(() => denials.stop());
    const telemetry = createTelemetry({ record, log, clock });
    closers.push(() => telemetry.stop());
    const quotas = createQuotas({ record, log, clock, settings });
    closers.push(() => quotas.requests.stop());
    const modelsDir = path.join(rootDir, 'models');
    const embedder = await createEmbedder({
      modelsDir,
      log,
      waitMsMax: settings.embeddingWaitMs,
      isStaticOnly: settings.embeddings === 'static',
    });
    closers.push(() => embedder.stop());
    const live = createLive({ record, log });
    closers.push(async () => live.stop());
    const countStreams = () => live.listening;
    const monitoring = createMonitoring({ record, log, clock, settings, countStreams });
    closers.push(() => monitoring.stop());
    const webhooks = createWebhooks({ record, secrets, log, clock, settings });
    webhooks.start();
    closers.push(() => webhooks.stop());
    const alerts = startAlerts({ record, monitoring, log, clock });
    closers.push(() => alerts.stop());
    const engine =
      host ?? createWorkerHost({ workers: settings.searchWorkers, log, budgetMs: settings.searchTimeoutMs });
    const { openSearch } = settings;
    if (openSearch === null) await forgetIndexes(record.sql);
    else await claimIndexes(record.sql, openSearch.indexes);
    const cluster = openSearch && new Cluster(await clientOf(openSearch.nodes));
    const indexes = createIndexes({
      record,
      embedder,
      service,
      reranker,
      movesCollections: settings.movesCollections,
      settings,
      log,
      clock,
      host: engine,
      engineOf: cluster
        ? (onChanged) => new OpenSearchIndexes({ cluster, record, log, onChanged })
        : undefined,
      searchBudgetMs: settings.searchTimeoutMs,
      onChanged: live.noteDocuments,
      onImportProgress: live.noteImports,
      documentLimits: settings.quotas ? documentLimits : null,
      detectsLanguages: settings.detectLanguages,
      makesWay: createMakingWay(),
    });
    closers.push(() => indexes.stop());
    const samples = createSampleLoads({ indexes, log, samplesDir: path.join(rootDir, 'samples') });
    closers.push(() => samples.stop());
    const searchLog = new SearchLog({
      record,
      log,
      clock,
      sign: (text) => secrets.sign('searches', text),
      onWritten: (collectionIds) => indexes.noteSearched(collectionIds),
    });
    closers.push(() => searchLog.stop());
    const requestLog = new RequestLog({
      record,
      log,
      clock,
      isWatched: () => live.listening > 0,
      onWritten: (workspaceIds) => live.tellRequests(workspaceIds),
    });
    closers.push(() => requestLog.stop());
    const windows = record.servers.isShared ? new RateWindows({ record: record.as('rates'), log }) : null;
    const leasing = windows?.leasing;
    const takeOfModels = createModelRation({ settings, clock, leasing });
    const chat = createChat({ indexes, embedder, settings, takeOfModels });
    const purge = startPurge({
      record,
      clock,
      log,
      purgeAfterMs: settings.purgeAfterMs,
      auditKeepDays: settings.auditKeepDays,
      dropIndex: (collectionId) => indexes.drop(collectionId),
    });
    closers.push(() => purge.stop());
    const demo = createProductDemo({
      embedder,
      host: engine,
      searchesPerMinute: settings.demoSearchesPerMinute,
    });
    const files = createArticleFiles(rootDir);
    const articleSearch = createArticleSearch({ embedder, host: engine, files });
    const machineTexts = createMachineTexts(files);
    const admission = createAdmission(settings, monotonic);
    const memory = createRequestMemory(settings);
    const callers = { known, auth, mailer, secrets, denials };
    const rates = createRateLimits(settings, undefined, leasing);
    const readFigures = () =>
      figuresOf({ settings, record, embedder, service, engine, indexes, admission, memory });
    const metrics = settings.metricsToken === null ? null : createMetrics(readFigures);
    const ways = { admission, memory, rates, quotas };
    const deps = {
      settings,
      ...ways,
      log,
      clock,
      record,
      ...callers,
      telemetry,
      monitoring,
      searchLog,
      requestLog,
      webhooks,
      indexes,
      live,
      chat,
      demo,
      articleSearch,
      machineTexts,
      samples,
      metrics,
    };
    return { deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How full the parts are. */
function figuresOf({
  settings,
  record,
  embedder,
  service,
  engine,
  indexes,
  admission: { reads, others, streams },
  memory,
}: Pick<Deps, 'settings' | 'record' | 'indexes' | 'admission' | 'memory'> & {
  embedder: Embedder;
  service: EmbeddingService | null;
  engine: EngineHost;
}): Figures {
  const { loaded, memoryBytes, importsUnderWay, behind } = indexes.stats();
  const { running, waiting } = record.load();
  const embedding = embedder.waiting() + (service?.waiting() ?? 0);
  return {
    ways: { reads: reads.load, others: others.load, streams: streams.load },
    waiting: {
      engine: engine.waiting(),
      embedding,
      database: waiting,
      ...(behind && { cluster: behind.waiting, repair: behind.givenUp }),
    },
    heldBytes: {
      indexes: { now: memoryBytes, max: settings.indexMemoryBytes },
      bodies: { now: memory.bodies.heldBytes, max: memory.bodies.bytesMax },
      answers: { now: memory.answers.heldBytes, max: memory.answers.bytesMax },
    },
    embeddingAnswers: service ? answersOf(service.state()) : {},
    indexesOpen: loaded,
    importsUnderWay,
    connectionsInUse: running,
  };
}

function answersOf({ queries, documents }: ServiceStates): Figures['embeddingAnswers'] {
  return { queries: queries.state === 'working', documents: documents.state === 'working' };
}

/** A folder that was there before the first start is left as its owner made it, and told of. */
async function warnOfOpenFolder(dataDir: string, log: Log): Promise<void> {
  const { mode } = await stat(dataDir);
  if (process.platform === 'win32' || (mode & 0o022) === 0) return;
  log.warn('others than the owner of DATA_DIR may write in it; take that from them (chmod go-w)', {
    dataDir,
    mode: (mode & 0o777).toString(8),
  });
}

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import {
  type EmbeddingModelSettings,
  type EmbeddingServiceSettings,
  embeddingVariables,
  readEmbeddingModel,
  readEmbeddingService,
} from './embedding-settings.ts';
import { type MailSettings, mailVariables, readMail } from './mail-settings.ts';
import { type RerankSettings, readRerank, rerankVariables } from './rerank-settings.ts';
import { type OpenSearchSettings, readOpenSearch, searchEngineVariables } from './search-engine-settings.ts';
import { count, switchOf } from './setting-forms.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Settings are environment variables, read once here; nothing else looks at `process.env`.
 * A bad one stops the start with a sentence that names it.
 */
const port = z.coerce.number().int().min(0).max(65_535);

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  /** Absent: the embedded database. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** The address people use; absent: http://HOST:PORT. Cookie-authenticated writes must come from it. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CONTACT_EMAIL: z.email().optional(),
  APP_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  /** The secret before it: what that one sealed is sealed anew at the start. */
  APP_SECRET_FORMER: z.string().min(32, 'must be at least 32 characters').optional(),
  ...mailVariables,
  SIGNUP: z.enum(['open', 'closed']).default('open'),
  TRUST_PROXY: switchOf.default(false),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  STORAGE_RESERVE_MB: count(256),
  INDEX_MEMORY_MB: count(2_048, 1),
  /** One core is left to what serves HTTP. */
  SEARCH_WORKERS: count(Math.min(64, Math.max(1, availableParallelism() - 1)), 1).pipe(z.number().max(64)),
  SEARCH_TIMEOUT_MS: count(2_000, 100),
  /** What one answer may have; exports are not bounded. */
  ANSWER_MB: count(32, 8).pipe(z.number().max(256)),
  /** Requests under way at once of a key or user, and of a workspace; and at work in all. */
  REQUESTS_PER_CALLER: count(32, 1),
  REQUESTS_PER_WORKSPACE: count(64, 1),
  REQUESTS_AT_ONCE: count(512, 1),
  /** How long searches may come to take while more are asked than can be done; 0: however long. */
  SEARCH_DELAY_MS: count(40),
  /** Requests a minute of a key, of a session, and of an address those of nobody who is known; 0: as many as they like. */
  RATE_LIMIT_KEY: count(60_000),
  RATE_LIMIT_SESSION: count(6_000),
  RATE_LIMIT_ADDRESS: count(6_000),
  /** That one account owns; 0: any number. */
  WORKSPACES_PER_ACCOUNT: count(50),
  /** Whether workspaces have no more than their plans give. */
  QUOTAS: switchOf.default(false),
  /** Of the landing page's catalogue, by anybody: so many a minute of one address. */
  DEMO_SEARCHES_PER_MINUTE: count(120, 1),
  /** Throttles: tests and the demo set their own. */
  LOGIN_FREE_TRIES: count(5, 1),
  LOGIN_TRIES_PER_ACCOUNT: count(100, 1),
  LOGIN_TRIES_PER_ADDRESS: count(20, 1),
  UNKNOWN_KEYS_PER_ADDRESS: count(60, 1),
  SIGNUPS_PER_ADDRESS: count(5, 1),
  /** Connections at once, if the system's limit of open files allows as many. */
  MAX_CONNECTIONS: count(10_000, 1),
  /** Of an address (an IPv6 /64 is one), and half of what its network may have; absent: a tenth of them, and 100 at least, but behind a trusted proxy all. */
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).optional(),
  HEADERS_TIMEOUT_SECONDS: count(15, 1),
  /** How long an answer may wait for its reader, and the rest of an import for its sender. */
  STALL_TIMEOUT_SECONDS: count(60, 1),
  /** What they have to read or send on average over that time; 0: as little as they like. */
  MIN_BYTES_PER_SECOND: count(1_000),
  /** argon2id's memory and passes: OWASP's minimum is 19 MiB and 2. */
  PASSWORD_HASH_MEMORY_MB: count(64, 1).pipe(z.number().max(4_096)),
  PASSWORD_HASH_PASSES: count(3, 1).pipe(z.number().max(100)),
  ...embeddingVariables,
  ...rerankVariables,
  ...searchEngineVariables,
  /** How long a write waits for a turn at the embedding of its text; twelve times as long for imports. */
  EMBEDDING_WAIT_SECONDS: count(5, 1),
  /** How long everything is still served after the signal to stop, while `GET /ready` is 503. */
  DRAIN_SECONDS: count(0).pipe(z.number().max(300)),
  /** How long a request waits for a connection to the database, and for a database that says nothing. */
  DATABASE_WAIT_SECONDS: count(3, 1),
  /** How long for one statement, of a database that answers others. */
  STATEMENT_SECONDS: count(60, 1),
  /** How long a deleted thing can be restored before it is purged. */
  PURGE_AFTER_SECONDS: count(60),
  /** Chat by models of others: with a key, "gpt-4" and "claude" can be asked. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPENAI_MODEL: z.string().min(1).max(200).default('gpt-4.1'),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  ANTHROPIC_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ANTHROPIC_MODEL: z.string().min(1).max(200).default('claude-sonnet-4-5'),
  /** How often an account may ask them in a minute; all together ten times as often. */
  MODEL_REQUESTS_PER_MINUTE: count(20, 1),
  /** How long one of them may take for an answer. */
  CHAT_TIMEOUT_SECONDS: count(60, 1).pipe(z.number().max(600)),
  /** Whether webhooks may be sent over http, and to addresses that are not public. */
  WEBHOOKS_TO_PRIVATE_ADDRESSES: switchOf.default(false),
  /** Whether the language of a collection is read off its documents where none is set. */
  DETECT_LANGUAGES: switchOf.default(true),
  /** How long audit entries are kept. */
  AUDIT_KEEP_DAYS: count(365, 1).pipe(z.number().max(36_500)),
  /** Whoever sends it as a bearer token reads `GET /metrics`; absent: nobody does, and nothing is counted for it. */
  METRICS_TOKEN: z.string().min(32, 'must be at least 32 characters').optional(),
});

/** A provider of language models. */
interface ProviderSettings {
  /** Null: its model is not offered. */
  apiKey: string | null;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  /** As the provider calls it. */
  modelId: string;
}

export interface Settings {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  publicUrl: string | null;
  /** Whom the start page's visitors may write to; null: nobody. */
  contactEmail: string | null;
  appSecret: string | null;
  appSecretFormer: string | null;
  /** Null: no mail is sent. */
  mail: MailSettings | null;
  signup: 'open' | 'closed';
  trustProxy: boolean;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  storageReserveBytes: number;
  indexMemoryBytes: number;
  answerBytesMax: number;
  searchWorkers: number;
  searchTimeoutMs: number;
  requestsPerCaller: number;
  requestsPerWorkspace: number;
  requestsAtOnce: number;
  searchDelayMs: number;
  rateLimitKey: number;
  rateLimitSession: number;
  rateLimitAddress: number;
  workspacesPerAccount: number;
  quotas: boolean;
  demoSearchesPerMinute: number;
  loginFreeTries: number;
  loginTriesPerAccount: number;
  loginTriesPerAddress: number;
  unknownKeysPerAddress: number;
  signupsPerAddress: number;
  connectionsMax: number;
  /** Null: a share of them. */
  connectionsPerAddress: number | null;
  headersTimeoutMs: number;
  stallTimeoutMs: number;
  bytesPerSecondMin: number;
  passwordHashBytes: number;
  passwordHashPasses: number;
  embeddings: 'builtin' | 'static' | 'openai' | 'onnx';
  /** Null: no service makes vectors. */
  embeddingService: EmbeddingServiceSettings | null;
  /** Null: no model in a directory makes vectors. */
  embeddingModel: EmbeddingModelSettings | null;
  /** Whether collections of other models are moved to the one that is set up. */
  movesCollections: boolean;
  embeddingWaitMs: number;
  /** Null: no service orders hits. */
  rerank: RerankSettings | null;
  /** Null: this process searches. */
  openSearch: OpenSearchSettings | null;
  /** How long a server that is about to stop serves on; 0: not at all. */
  drainMs: number;
  databaseWaitMs: number;
  statementMs: number;
  openai: ProviderSettings;
  anthropic: ProviderSettings;
  modelRequestsPerMinute: number;
  chatTimeoutMs: number;
  webhooksToPrivateAddresses: boolean;
  detectLanguages: boolean;
  purgeAfterMs: number;
  auditKeepDays: number;
  /** Null: there are no metrics. */
  metricsToken: string | null;
}

/** What programs are found and run by; our settings and their secrets are none of a child process' business. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'SystemRoot'];

export function childEnvironment(): Record<string, string> {
  const given = passedOn.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const megabyte = 1024 * 1024;

/** @param instead variables that take the place of those of `env`, as a command line says */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
  instead: Record<string, string> = {},
): Settings {
  const given = Object.fromEntries(
    Object.entries({ ...env, ...instead }).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new SettingsError(`These settings cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  const s = result.data;
  return {
    port: s.PORT,
    host: s.HOST,
    dataDir: path.resolve(s.DATA_DIR),
    databaseUrl: s.DATABASE_URL ?? null,
    contactEmail: s.CONTACT_EMAIL ?? null,
    publicUrl: s.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    appSecret: s.APP_SECRET ?? null,
    appSecretFormer: s.APP_SECRET_FORMER ?? null,
    mail: readMail(s),
    signup: s.SIGNUP,
    trustProxy: s.TRUST_PROXY,
    logLevel: s.LOG_LEVEL,
    storageReserveBytes: s.STORAGE_RESERVE_MB * megabyte,
    indexMemoryBytes: s.INDEX_MEMORY_MB * megabyte,
    answerBytesMax: s.ANSWER_MB * megabyte,
    searchWorkers: s.SEARCH_WORKERS,
    searchTimeoutMs: s.SEARCH_TIMEOUT_MS,
    requestsPerCaller: s.REQUESTS_PER_CALLER,
    requestsPerWorkspace: s.REQUESTS_PER_WORKSPACE,
    requestsAtOnce: s.REQUESTS_AT_ONCE,
    searchDelayMs: s.SEARCH_DELAY_MS,
    rateLimitKey: s.RATE_LIMIT_KEY,
    rateLimitSession: s.RATE_LIMIT_SESSION,
    rateLimitAddress: s.RATE_LIMIT_ADDRESS,
    workspacesPerAccount: s.WORKSPACES_PER_ACCOUNT,
    quotas: s.QUOTAS,
    demoSearchesPerMinute: s.DEMO_SEARCHES_PER_MINUTE,
    loginFreeTries: s.LOGIN_FREE_TRIES,
    loginTriesPerAccount: s.LOGIN_TRIES_PER_ACCOUNT,
    loginTriesPerAddress: s.LOGIN_TRIES_PER_ADDRESS,
    unknownKeysPerAddress: s.UNKNOWN_KEYS_PER_ADDRESS,
    signupsPerAddress: s.SIGNUPS_PER_ADDRESS,
    connectionsMax: s.MAX_CONNECTIONS,
    connectionsPerAddress: s.MAX_CONNECTIONS_PER_ADDRESS ?? null,
    headersTimeoutMs: s.HEADERS_TIMEOUT_SECONDS * 1000,
    stallTimeoutMs: s.STALL_TIMEOUT_SECONDS * 1000,
    bytesPerSecondMin: s.MIN_BYTES_PER_SECOND,
    passwordHashBytes: s.PASSWORD_HASH_MEMORY_MB * megabyte,
    passwordHashPasses: s.PASSWORD_HASH_PASSES,
    embeddings: s.EMBEDDINGS,
    embeddingService: readEmbeddingService(s),
    embeddingModel: readEmbeddingModel(s),
    movesCollections: s.EMBEDDINGS_COLLECTIONS === 'all',
    embeddingWaitMs: s.EMBEDDING_WAIT_SECONDS * 1000,
    rerank: readRerank(s),
    openSearch: readOpenSearch(s),
    drainMs: s.DRAIN_SECONDS * 1000,
    databaseWaitMs: s.DATABASE_WAIT_SECONDS * 1000,
    statementMs: s.STATEMENT_SECONDS * 1000,
    openai: {
      apiKey: s.OPENAI_API_KEY ?? null,
      baseUrl: s.OPENAI_BASE_URL ?? null,
      modelId: s.OPENAI_MODEL,
    },
    anthropic: {
      apiKey: s.ANTHROPIC_API_KEY ?? null,
      baseUrl: s.ANTHROPIC_BASE_URL ?? null,
      modelId: s.ANTHROPIC_MODEL,
    },
    modelRequestsPerMinute: s.MODEL_REQUESTS_PER_MINUTE,
    chatTimeoutMs: s.CHAT_TIMEOUT_SECONDS * 1000,
    purgeAfterMs: s.PURGE_AFTER_SECONDS * 1000,
    webhooksToPrivateAddresses: s.WEBHOOKS_TO_PRIVATE_ADDRESSES,
    detectLanguages: s.DETECT_LANGUAGES,
    auditKeepDays: s.AUDIT_KEEP_DAYS,
    metricsToken: s.METRICS_TOKEN ?? null,
  };
}

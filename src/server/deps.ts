import type { Admission } from './admission/admission.ts';
import type { RateLimits } from './admission/rate-limits.ts';
import type { RequestMemory } from './admission/request-memory.ts';
import type { Denials } from './audit/denials.ts';
import type { Auth } from './auth/auth.ts';
import type { KnownCallers } from './auth/known/known-callers.ts';
import type { SecretBox } from './auth/secrets/secret-box.ts';
import type { Chat } from './chat/chat.ts';
import type { RecordStore } from './db/client.ts';
import type { ProductDemo } from './demo/product-demo.ts';
import type { ArticleSearch } from './documentation/article-search.ts';
import type { MachineTexts } from './documentation/machine-texts.ts';
import type { Settings } from './env.ts';
import type { Indexes } from './indexes/indexes.ts';
import type { Live } from './live/live.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Monitoring } from './monitoring/create-monitoring.ts';
import type { Quotas } from './quotas/quotas.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { SampleLoads } from './samples/sample-loads.ts';
import type { SearchLog } from './search-log/search-log.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Everything a request can reach; `main.ts` builds it once, tests build their own. */
export interface Deps {
  settings: Settings;
  admission: Admission;
  memory: RequestMemory;
  rates: RateLimits;
  log: Log;
  clock: () => Date;
  record: RecordStore;
  /** What the record said of those who call. */
  known: KnownCallers;
  auth: Auth;
  /** Null: the server sends no letters. */
  mailer: Mailer | null;
  secrets: SecretBox;
  denials: Denials;
  telemetry: Telemetry;
  /** What is measured over time. */
  monitoring: Monitoring;
  searchLog: SearchLog;
  /** The last requests to each workspace. */
  requestLog: RequestLog;
  /** Where workspaces want their alerts sent. */
  webhooks: Webhooks;
  quotas: Quotas;
  indexes: Indexes;
  /** Tells signed-in users what changes. */
  live: Live;
  chat: Chat;
  demo: ProductDemo;
  /** The documentation: its search, and its texts for machines. */
  articleSearch: ArticleSearch;
  machineTexts: MachineTexts;
  samples: SampleLoads;
  /** Null: nobody may ask for them. */
  metrics: Metrics | null;
}

import type { Sql } from 'postgres';
import type { AskedVersion } from './opened-index.ts';

export interface ReadParts {
  asked: AskedVersion;
  /** The record, as whoever asks. */
  sql: Sql;
  /** What the cluster's BM25 is of ours. */
  unit: number;
}

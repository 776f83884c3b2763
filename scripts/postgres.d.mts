export interface StartedPostgres {
  /** The administrator's address. */
  url: string;
  stop(): Promise<void>;
}

/** @throws Error with one sentence when no Postgres can be had */
export function startPostgres(): Promise<StartedPostgres>;

/** How full the server is, read when somebody asks. */
export interface Figures {
  /** Requests under way, and of these those at work, by the way in. */
  ways: Record<string, { underWay: number; atWork: number }>;
  /** What waits for a turn, by what it waits for. */
  waiting: Record<string, number>;
  /** Memory that is counted and its bound, by what it is for. */
  heldBytes: Record<string, { now: number; max: number }>;
  /** Whether a service for embeddings answers, by for what it is asked; empty: there is none. */
  embeddingAnswers: Record<string, boolean>;
  indexesOpen: number;
  importsUnderWay: number;
  /** Statements and transactions that have a connection to the database. */
  connectionsInUse: number;
}

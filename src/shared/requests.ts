import { z } from 'zod';
import { entityId } from './fields.ts';
import { limits } from './limits.ts';
import { flag, wholeNumber } from './parameters.ts';
import {
  type ReplayState,
  type RequestLevel,
  type RequestType,
  type RequestWay,
  requestLevels,
  requestTypes,
  requestWays,
} from './request-kinds.ts';

/** A document of an answer, as it is kept: not what was in it. */
export interface HitHead {
  id: string;
  score: number;
}

export interface KeptHit {
  id: string;
  /** Null: the answer has none, as that of words to search for. */
  score: number | null;
}

/** What was found; several searches of one request have one each. */
export interface AnswerList {
  /** Null: that search failed. */
  found: number | null;
  hits: readonly KeptHit[];
}

interface Named {
  id: number;
  name: string;
}

/** A request to a workspace, as the list has it. */
export interface Request {
  /** In the order in which requests were answered. */
  id: number;
  requestId: string;
  /** ISO 8601. */
  at: string;
  /** The procedure: `search.hybrid`. */
  operation: string;
  type: RequestType;
  way: RequestWay;
  /** By the name that it had then; null: somebody who was signed in. */
  key: Named | null;
  /** Null: none, or several. */
  collection: Named | null;
  status: number;
  level: RequestLevel;
  tookMs: number;
  /** Documents found; null where nothing was searched for. */
  found: number | null;
  /** What was searched for or what it was about, in short. */
  words: string | null;
  error: { code: string; message: string } | null;
  /** Requests before it that are not kept, because there were too many at once. */
  leftOut: number;
}

export interface RequestDetail extends Request {
  replay: ReplayState;
  /** What was sent: of searches all of it, of others what it was about without what was in it. Null: it was longer than is kept, or was not read. */
  input?: unknown;
  answer: AnswerList[] | null;
}

const chosen = {
  workspaceId: entityId,
  type: z.enum(requestTypes).optional(),
  level: z.enum(requestLevels).optional(),
  way: z.enum(requestWays).optional(),
  keyId: entityId.optional(),
  collectionId: entityId.optional(),
  operation: z
    .string()
    .max(64)
    .regex(/^[a-zA-Z.]*$/, 'must be the name of an operation')
    .optional(),
  /** Searches that found nothing. */
  nothingFound: flag.optional(),
  /** Part of what was searched for, or a request's id. */
  q: z
    .string()
    .trim()
    .max(limits.keptWordsCharactersMax, `must be at most ${limits.keptWordsCharactersMax} characters`)
    .optional(),
};

/** A workspace's, newest first: those behind `before`. */
export const requestList = z.strictObject({
  ...chosen,
  before: wholeNumber(1).optional(),
  per_page: wholeNumber(1, limits.perPageMax).default(100),
});
export type RequestList = z.output<typeof requestList>;

export const requestRef = z.strictObject({ workspaceId: entityId, id: wholeNumber(1) });

/** What the page says of all of them. */
export interface RequestOverview {
  lastHour: {
    requests: number;
    /** Of them those over REST, as the dashboard and monitoring count them; the others are the console's. */
    apiRequests: number;
    searches: number;
    nothingFound: number;
    warnings: number;
    errors: number;
    /** Of searches; null: there were none. */
    p50Ms: number | null;
    p95Ms: number | null;
  };
  /** Those that the kept requests came from and were about. */
  keys: Named[];
  collections: Named[];
}
/** How soon single documents that were written could be found: a write is answered once the next search finds it. */
export interface WriteTimes {
  /** Of the last day, as far as they are kept. */
  writes: number;
  /** 99 of 100 took at most so many milliseconds; null: there were none. */
  p99Ms: number | null;
}
export const requestOverviewOf = z.strictObject({ workspaceId: entityId });

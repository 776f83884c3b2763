import type { ReplayState, RequestType, RequestWay } from '#shared/request-kinds.ts';
import type { AnswerList } from '#shared/requests.ts';

/** What of a request takes most time to write down. */
export interface RequestTexts {
  words: string | null;
  error: { code: string; message: string } | null;
  /** As JSON. */
  input: string | null;
  /** Becomes JSON with its batch. */
  answer: AnswerList[] | null;
  replay: ReplayState;
}

/** A request once it is answered. */
export interface KeptRequest {
  requestId: string;
  operation: string;
  type: RequestType;
  way: RequestWay;
  keyId: number | null;
  collection: { id: number; name: string } | null;
  status: number;
  tookMs: number;
  found: number | null;
  /** Asked for when its batch is written, which no request waits for. */
  toTexts: () => RequestTexts;
}

export interface RequestRow {
  request: KeptRequest;
  workspaceId: number;
  /** Microseconds since 1970, made different. */
  place: number;
  at: Date;
  leftOut: number;
}

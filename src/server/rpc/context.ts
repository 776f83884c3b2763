import type { Held } from '#server/admission/byte-shares.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Visitor } from '#server/auth/visitor.ts';
import type { Deps } from '#server/deps.ts';
import type { Log } from '#server/log.ts';
import type { KeptRequest } from '#server/request-log/request-row.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { ChatEvent } from '#shared/chat.ts';

/** What a request is about, once it is known. */
export type UsageScope = Parameters<Telemetry['countRequest']>[0] & {
  /** And what the caller called it. */
  collection?: { reference: string; id: number; name: string };
};

/** A call that is over: whose it is, and what is kept of it. */
export interface DoneRequest {
  workspaceId: number;
  /** As the procedure ended. */
  status: number;
  toRequest: (answered: Pick<KeptRequest, 'status' | 'tookMs'>) => KeptRequest;
}

/** What a procedure knows of the request that reached it, over REST or tRPC. */
export interface Context {
  deps: Deps;
  principal: Principal | null;
  /** Whom the request counts for. */
  requester: Requester;
  /** What of the room for all requests this one holds: of its body until it is answered, of its answer and the file that it comes from until that is out. */
  held: { body: Held; answer: Held; spool: Held };
  /** Asks again who calls, for work that goes on for long. @throws AppError UNAUTHORIZED for a key that is not good any more */
  identifyAgain(): Promise<Principal | null>;
  log: Log;
  request: Visitor & {
    /** Fires when the caller hangs up. */
    signal: AbortSignal;
    way: 'rest' | 'trpc';
    /** Calls in it, of which a batch has several. */
    calls: number;
    /** What the answer of one procedure may have: several of one request share what a request may have. */
    answerBytesMax: number;
  };
  cookies: {
    setSession(cookieValue: string, expiresAt: Date): void;
    setDevice(cookieValue: string): void;
    setPendingLogin(cookieValue: string, expiresAt: Date): void;
    clearPendingLogin(): void;
    clearSession(): void;
  };
  /** Told by `scope.ts` what the request is about, once that is known; REST counts usage by it. */
  noteUsage?: ((about: UsageScope) => void) | undefined;
  /** Told what was sent, once it is read. */
  noteInput?: ((input: unknown) => void) | undefined;
  /** Told of a call that is over and is listed among the requests of a workspace; REST, which says its status, lists it. */
  noteRequest?: ((request: DoneRequest) => void) | undefined;
  /**
   * Told by a procedure that answers one page of a list how long the list is, or how far it was counted and that there is more of it; REST
   * answers it as `X-Total-Count`.
   */
  noteTotal?: ((total: number, isMore: boolean) => void) | undefined;
  /** Told by a procedure that answers a document and nothing beside it; REST answers its `ETag`. */
  noteTagged?: (() => void) | undefined;
  /** Told by a procedure what of its answer is there already; REST sends it to whoever wants events. */
  tellEvent?: ((event: ChatEvent) => void) | undefined;
  /** Told by a procedure that from now on it waits for somebody else: it counts as a stream then, no more as a search. @throws AppError as `Gate.enter` */
  waitElsewhere?: (() => void) | undefined;
  /** Told by what begins an import which one it is; REST answers it as `X-Import-Id`. */
  noteImport?: ((id: number) => void) | undefined;
}

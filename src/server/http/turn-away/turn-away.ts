import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressGroup } from '#server/admission/address.ts';
import type { Rejection } from '#server/admission/rejection.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Deps } from '#server/deps.ts';
import { actorOf } from '#server/rpc/act.ts';
import { retryAfter } from '#server/wire/answer.ts';
import { corsHeaders } from '#server/wire/cors.ts';
import { errorTable } from '#shared/errors.ts';
import { pathOf } from '../environment.ts';
import { hasKey } from '../find-keys.ts';
import { readerOf } from '../header-reader.ts';
import { headOf, type RequestHead } from '../request-head.ts';
import { securityHeaders } from '../security-headers.ts';
import type { CrowdNames } from '../sockets/crowds.ts';
import { type Asked, askedOf } from './asked-of.ts';
import { type CallerByHead, callerByHead, ratedByHead } from './caller-by-head.ts';
import { PacedAnswers } from './paced-answers.ts';
import { type Rated, ratedForHealth, rateHeaders } from './rate.ts';
import { rejectionBody } from './rejection-body.ts';
import { requesterOf } from './requester-of.ts';

/** Who was refused more often within a second waits for each further answer, the longer the more often it asks, up to two seconds. */
const refusedAtOnce = 20;
const waitMsEach = 5;
const waitMsMax = 2_000;

/** Whether it answers. @param holdBack is told of an answer that waits, and for whom */
export type TurnAway = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  holdBack?: (outgoing: ServerResponse, by: CrowdNames) => void,
) => boolean;

type TurnAwayDeps = Pick<
  Deps,
  'auth' | 'admission' | 'clock' | 'demo' | 'known' | 'rates' | 'denials' | 'settings' | 'metrics'
>;

/**
 * Turns away by the head of a request alone who is known and has no room, and who has asked too often, whatever for. Nearly all requests of
 * a flood end here, so this costs a small part of an answer: no `Request` is made, no body read, no statement sent. It lets nobody in and
 * counts nothing: what it does not turn away goes the way of all requests, where the same is asked again and counted.
 */
export function createTurnAway(deps: TurnAwayDeps): TurnAway {
  const { admission, demo, denials, settings } = deps;
  const answers = new PacedAnswers();

  function findLackOfRoom(asked: Asked, principal: Principal | null, address: string): Rejection | null {
    const searches = asked.calls?.names.filter((name) => name.startsWith('demo.')).length ?? 0;
    const ofDemo =
      searches > 0 ? demo.findRejection(addressGroup(address), asked.calls?.names.length ?? 1) : null;
    // A visitor's address is not known to be anybody's: only what it asks can be too much.
    if (ofDemo !== null || principal === null) return ofDemo;
    return admission[asked.way].findRejection(requesterOf(principal, address));
  }

  return (incoming, outgoing, holdBack) => {
    const startedAt = performance.now();
    const path = pathOf(incoming.url ?? '');
    const asked = askedOf(incoming, path);
    const headers = readerOf(incoming);
    const head = headOf(incoming, headers, settings);
    const { isSecure, address } = head;
    const caller = callerByHead(head, deps);
    const { principal } = caller;
    const rated = ratedBy(head, { asked, path, caller }, deps);
    const tooOften = findTooOften(asked, rated, deps) ?? findUnknownKey(head, caller, deps);
    const rejection = tooOften ?? (asked && findLackOfRoom(asked, principal, address));
    if (rejection === null) return false;
    const requestId = randomUUID();
    const { code, message: reason } = rejection;
    deps.metrics?.countTurnedAway(errorTable[code].status);
    const workspaceId = principal?.kind === 'key' ? principal.workspaceId : null;
    const actor = actorOf(principal);
    const line = { requestId, action: 'request', code, reason, actor, workspaceId, address };
    const waitMs = waitMsAfter(denials.lines.note(line));
    const send = () => {
      const text = rejectionBody(asked, rejection, requestId);
      outgoing.writeHead(errorTable[code].status, {
        ...securityHeaders(isSecure),
        ...(isRest(asked, path) && hasKey(headers) && corsHeaders),
        ...(rated && rateHeaders(deps.rates, rated, tooOften)),
        'X-Request-Id': requestId,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        'Retry-After': retryAfter(rejection.retryAfterSeconds),
      });
      outgoing.end(text);
    };
    const requester = requesterOf(principal, address);
    const onKeptBack = () => holdBack?.(outgoing, [requester.tenant, requester.caller]);
    const lookMs = performance.now() - startedAt;
    answers.send(outgoing, { requester, lookMs, waitMs, onKeptBack, send });
    return true;
  };
}

interface ByHead {
  asked: Asked | null;
  path: string;
  caller: CallerByHead;
}

/** Null: it is not known here whose budget it is, and the app will find out. */
function ratedBy(head: RequestHead, { asked, path, caller }: ByHead, deps: TurnAwayDeps): Rated | null {
  const { principal, isNobody } = caller;
  if (asked !== null && principal === null && !isNobody) return null;
  return ratedForHealth(path, head.address) ?? ratedByHead(head, deps, principal);
}

function isRest(asked: Asked | null, path: string): boolean {
  return asked === null ? path.startsWith('/api/') : asked.calls === null;
}

/** @param refused how often it was refused within this second */
function waitMsAfter(refused: number): number {
  return refused < refusedAtOnce ? 0 : Math.min(refused * waitMsEach, waitMsMax);
}

/** @param rated null: it is not known here whose budget it is */
function findTooOften(asked: Asked | null, rated: Rated | null, { rates }: TurnAwayDeps): Rejection | null {
  return (rated && rates[rated.counted]?.findRejection(rated.name, asked?.calls?.names.length ?? 1)) ?? null;
}

/** A key that nobody has used here, from an address that has sent many that nobody has. */
function findUnknownKey(head: RequestHead, { principal, isNobody }: CallerByHead, { auth }: TurnAwayDeps) {
  if (principal !== null || isNobody || head.shown?.kind !== 'key') return null;
  return auth.findKeyRejection(head.shown.name, head.address);
}

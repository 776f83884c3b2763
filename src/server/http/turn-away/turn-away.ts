import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressGroup } from '#server/admission/address.ts';
import type { Rejection } from '#server/admission/rejection.ts';
import { findKnownPrincipal } from '#server/auth/known/known-principal.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Deps } from '#server/deps.ts';
import { actorOf } from '#server/rpc/act.ts';
import { retryAfter } from '#server/wire/answer.ts';
import { corsHeaders } from '#server/wire/cors.ts';
import { errorTable } from '#shared/errors.ts';
import { hasKey } from '../find-keys.ts';
import { readerOf } from '../header-reader.ts';
import { headOf, type RequestHead } from '../request-head.ts';
import { securityHeaders } from '../security-headers.ts';
import { type Asked, askedOf } from './asked-of.ts';
import { PacedAnswers } from './paced-answers.ts';
import { type Rated, ratedAs, rateHeaders } from './rate.ts';
import { rejectionBody } from './rejection-body.ts';
import { requesterOf } from './requester-of.ts';
import { strangerName } from './stranger-name.ts';

/** Who was refused more often within a second waits for each further answer, the longer the more often it asks, up to two seconds. */
const refusedAtOnce = 20;
const waitMsEach = 5;
const waitMsMax = 2_000;

/** Whether it answers. */
export type TurnAway = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

type TurnAwayDeps = Pick<
  Deps,
  'auth' | 'admission' | 'clock' | 'demo' | 'known' | 'rates' | 'denials' | 'settings'
>;

/**
 * Turns away by the head of a request alone who is known and has no room, and who has asked too often. Nearly all requests of a flood end
 * here, so this costs a small part of an answer: no `Request` is made, no body read, no statement sent. It lets nobody in and counts
 * nothing: what it does not turn away goes the way of all requests, where the same is asked again.
 */
export function createTurnAway(deps: TurnAwayDeps): TurnAway {
  const { admission, demo, denials, settings } = deps;
  const answers = new PacedAnswers();

  function findRejection(asked: Asked, principal: Principal | null, address: string): Rejection | null {
    const searches = asked.calls?.names.filter((name) => name === 'demo.products').length ?? 0;
    const ofDemo =
      searches > 0 ? demo.findRejection(addressGroup(address), asked.calls?.names.length ?? 1) : null;
    // A visitor's address is not known to be anybody's: only what it asks can be too much.
    if (ofDemo !== null || principal === null) return ofDemo;
    return admission[asked.way].findRejection(requesterOf(principal, address));
  }

  /** Null: it is not known here whose budget it is. */
  function ratedBy(head: RequestHead, principal: Principal | null, isNobody: boolean): Rated | null {
    if (principal !== null) return ratedAs(principal, head.address);
    return isNobody ? ratedAs(null, strangerName(head, deps.auth)) : null;
  }

  return (incoming, outgoing) => {
    const startedAt = performance.now();
    const asked = askedOf(incoming);
    if (asked === null) return false;
    const headers = readerOf(incoming);
    const head = headOf(incoming, headers, settings);
    const { isSecure, address } = head;
    const { principal, isNobody } = callerOf(head, deps);
    const rated = ratedBy(head, principal, isNobody);
    const tooOften = findTooOften(asked, rated, deps);
    const rejection = tooOften ?? findRejection(asked, principal, address);
    if (rejection === null) return false;
    const requestId = randomUUID();
    const { code, message: reason } = rejection;
    const workspaceId = principal?.kind === 'key' ? principal.workspaceId : null;
    const actor = actorOf(principal);
    const line = { requestId, action: 'request', code, reason, actor, workspaceId, address };
    const waitMs = waitMsAfter(denials.lines.note(line));
    const send = () => {
      const text = rejectionBody(asked, rejection, requestId);
      outgoing.writeHead(errorTable[code].status, {
        ...securityHeaders(isSecure),
        ...(asked.calls === null && hasKey(headers) && corsHeaders),
        ...(rated && rateHeaders(deps.rates, rated, tooOften)),
        'X-Request-Id': requestId,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        'Retry-After': retryAfter(rejection.retryAfterSeconds),
      });
      outgoing.end(text);
    };
    const requester = requesterOf(principal, address);
    answers.send(outgoing, { requester, lookMs: performance.now() - startedAt, waitMs, send });
    return true;
  };
}

/** @param refused how often it was refused within this second */
function waitMsAfter(refused: number): number {
  return refused < refusedAtOnce ? 0 : Math.min(refused * waitMsEach, waitMsMax);
}

/** @param rated null: it is not known here whose budget it is */
function findTooOften({ calls }: Asked, rated: Rated | null, { rates }: TurnAwayDeps): Rejection | null {
  return (rated && rates[rated.counted]?.findRejection(rated.name, calls?.names.length ?? 1)) ?? null;
}

/** Two keys that differ are left to those who know what to say of them. `isNobody`: it shows nothing that it could be known by. */
function callerOf(
  head: RequestHead,
  { known, clock }: TurnAwayDeps,
): { principal: Principal | null; isNobody: boolean } {
  if (head.hasTwoKeys) return { principal: null, isNobody: false };
  const { shown } = head;
  return { principal: shown && findKnownPrincipal(known, shown, clock()), isNobody: shown === null };
}

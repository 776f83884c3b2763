import { DelayControl, type DelayLimits } from './delay-control.ts';
import { type Refusal, refusalError } from './refusal.ts';
import type { Requester } from './requester.ts';

export interface GateLimits {
  /** Requests under way at once, of one caller and of one tenant. */
  perCaller: number;
  perTenant: number;
  /** Requests at work at once: those that have arrived whole, and streams. Beyond it, one of each tenant that has none, up to as many again. */
  inAll: number;
  /** Null: no other bound than these numbers. */
  delay: DelayLimits | null;
}

/** A request that was let in. */
export interface Ticket {
  /** All of it has arrived: from now on it is work. What a caller takes to send a body holds up nobody else. */
  begin(): void;
  /** It is over, once however often this is called. */
  leave(): void;
}

interface Counts {
  underWay: number;
  atWork: number;
}

interface Tenant extends Counts {
  callers: Map<string, Counts>;
}

const retryAfterSeconds = 1;
/** A burst may be so many times the room, and so many requests at least. */
const burstRooms = 4;
const burstMin = 64;

/**
 * Lets requests in, or turns them away before anything is done for them: who has too many under way, and while more is asked than can be
 * done, who has more at work than its share.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #delay: DelayControl | null;
  readonly #tenants = new Map<string, Tenant>();
  #atWork = 0;
  #tenantsAtWork = 0;

  /** @param now milliseconds that only grow */
  constructor(limits: GateLimits, now: () => number) {
    this.#limits = limits;
    this.#delay = limits.delay && new DelayControl(limits.delay, now);
  }

  /** @throws AppError TOO_MANY_REQUESTS (the caller's or the tenant's share is in use), UNAVAILABLE (the server has its hands full) */
  enter(requester: Requester): Ticket {
    const refusal = this.findRefusal(requester);
    if (refusal) throw refusalError(refusal);
    const tenant = this.#tenants.get(requester.tenant) ?? { underWay: 0, atWork: 0, callers: new Map() };
    const caller = tenant.callers.get(requester.caller) ?? { underWay: 0, atWork: 0 };
    tenant.underWay += 1;
    caller.underWay += 1;
    this.#tenants.set(requester.tenant, tenant);
    tenant.callers.set(requester.caller, caller);
    return this.#ticket(requester, tenant, caller);
  }

  /** Why this requester is not let in now; null: it would be. While requests are turned away, the room is kept to. */
  findRefusal(requester: Requester): Refusal | null {
    const tenant = this.#tenants.get(requester.tenant) ?? nobody;
    const caller = tenant.callers.get(requester.caller) ?? nobody;
    return this.#beyondLimits(tenant, caller) ?? this.#beyondShare(tenant, caller);
  }

  #beyondLimits(tenant: Counts, caller: Counts): Refusal | null {
    const { perCaller, perTenant, inAll } = this.#limits;
    if (caller.underWay >= perCaller) {
      return tooMany(`You have ${perCaller} requests under way, which is the most at once`);
    }
    if (tenant.underWay >= perTenant) {
      return tooMany(`Your workspace has ${perTenant} requests under way, which is the most at once`);
    }
    const most = tenant.atWork === 0 ? 2 * inAll : inAll;
    return this.#atWork >= most ? busy : null;
  }

  #beyondShare(tenant: Readonly<Tenant>, caller: Counts): Refusal | null {
    const delay = this.#delay;
    if (!delay) return null;
    const { room } = delay;
    if (!delay.isCongested && delay.atWork < Math.max(burstMin, burstRooms * room)) return null;
    const tenants = this.#tenantsAtWork + (tenant.atWork === 0 ? 1 : 0);
    const callers = tenant.callers.size + (caller.underWay === 0 ? 1 : 0);
    const ofTenant = Math.ceil(room / tenants);
    const isFull = tenants > room && delay.atWork >= room;
    if (!isFull && tenant.atWork < ofTenant && caller.atWork < Math.ceil(ofTenant / callers)) return null;
    delay.noteRefusal();
    return isFull ? busy : tooMany('You ask for more than your share of a busy server');
  }

  #ticket(requester: Requester, tenant: Tenant, caller: Counts): Ticket {
    let isOver = false;
    let end: (() => void) | null = null;
    return {
      begin: () => {
        if (isOver || end !== null) return;
        this.#delay?.begin();
        this.#atWork += 1;
        if (tenant.atWork === 0) this.#tenantsAtWork += 1;
        tenant.atWork += 1;
        caller.atWork += 1;
        end = () => {
          this.#delay?.end();
          this.#atWork -= 1;
          tenant.atWork -= 1;
          caller.atWork -= 1;
          if (tenant.atWork === 0) this.#tenantsAtWork -= 1;
        };
      },
      leave: () => {
        if (isOver) return;
        isOver = true;
        end?.();
        tenant.underWay -= 1;
        caller.underWay -= 1;
        if (caller.underWay === 0) tenant.callers.delete(requester.caller);
        if (tenant.underWay === 0) this.#tenants.delete(requester.tenant);
      },
    };
  }
}

const nobody: Readonly<Tenant> = { underWay: 0, atWork: 0, callers: new Map() };

function tooMany(message: string): Refusal {
  return { code: 'TOO_MANY_REQUESTS', message: `${message}; try again in a moment`, retryAfterSeconds };
}

const busy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'The server has more to do than it can; try again in a moment',
  retryAfterSeconds,
};

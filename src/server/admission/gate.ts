import { RecentMap } from '#server/memory/recent-map.ts';
import { DelayControl, type DelayLimits } from './delay-control.ts';
import { ExcessShare } from './excess-share.ts';
import { type Rejection, rejectionError } from './rejection.ts';
import { pathOf, type Requester } from './requester.ts';

export interface GateLimits {
  /** Requests under way at once, of one caller and of one workspace. */
  perCaller: number;
  perWorkspace: number;
  /**
   * Requests at work at once: those that have arrived whole, also those that wait, and streams. A tenant may have as many as are left for others. Beyond it, one
   * of each tenant that has none, up to as many again.
   */
  inAll: number;
  /** Null: no other bound than these numbers. */
  delay: DelayLimits | null;
}

/** A request that was let in. */
export interface Ticket {
  /** All of it has arrived: from now on it is work. What a caller takes to send a body holds up nobody else. */
  begin(): void;
  /** It waits for something else than the work that is shared here: it has no part in that, until the function answered is called. */
  pause(): () => void;
  /** It is over, once however often this is called. */
  leave(): void;
}

/** What is there of all, of a tenant, of a workspace or of a caller. */
class Part {
  readonly parts = new Map<string, Part>();
  underWay = 0;
  /** Whole, be they at work or paused. */
  arrived = 0;
  atWork = 0;
  /** Of its parts, those that have something at work. */
  partsAtWork = 0;

  partOf(name: string): Part {
    return this.parts.get(name) ?? nothing;
  }

  madePartOf(name: string): Part {
    const part = this.parts.get(name) ?? new Part();
    this.parts.set(name, part);
    return part;
  }
}

const nothing: Readonly<Part> = new Part();

const retryAfterSeconds = 1;
/** A burst may be so many times the room, and so many requests at least. */
const burstRooms = 3;
const burstMin = 32;
const excessMax = 1_000;

/**
 * Lets requests in, or turns them away before anything is done for them: who has too many under way, and while more is asked than can be
 * done, who has more at work than its share.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #delay: DelayControl | null;
  readonly #now: () => number;
  /** Of tenants that something was refused of late. */
  readonly #excess = new RecentMap<ExcessShare>({ entriesMax: excessMax });
  readonly #all = new Part();

  /** @param now milliseconds that only grow */
  constructor(limits: GateLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#delay = limits.delay && new DelayControl(limits.delay, now);
  }

  /** Requests that were let in and are not over, and of these those at work. */
  get load(): { underWay: number; atWork: number } {
    const { underWay, atWork } = this.#all;
    return { underWay, atWork };
  }

  /** @throws AppError TOO_MANY_REQUESTS (the caller's or the tenant's share is in use), UNAVAILABLE (the server has its hands full) */
  enter(requester: Requester): Ticket {
    const rejection = this.findRejection(requester);
    if (rejection) throw rejectionError(rejection);
    const path = pathOf(requester);
    const parts = [this.#all];
    for (const name of path) parts.push((parts.at(-1) ?? this.#all).madePartOf(name));
    for (const part of parts) part.underWay += 1;
    return this.#ticket(path, parts);
  }

  /** Why this requester is not let in now; null: it would be. While requests are turned away, the room is kept to. */
  findRejection(requester: Requester): Rejection | null {
    const [tenantName, workspaceName, callerName] = pathOf(requester);
    const tenant = this.#all.partOf(tenantName);
    const workspace = tenant.partOf(workspaceName);
    const caller = workspace.partOf(callerName);
    const beyond = this.#beyondLimits(tenant, workspace, caller);
    if (beyond === null) return this.#beyondShare(tenantName, { tenant, workspace, caller });
    // More than a burst: nobody has to wait until it has been a queue for long.
    if (this.#delay && tenant.atWork > this.#delay.room) this.#noteRefused(tenantName, this.#delay);
    return beyond;
  }

  #beyondLimits(tenant: Part, workspace: Part, caller: Part): Rejection | null {
    const { perCaller, perWorkspace, inAll } = this.#limits;
    if (caller.underWay >= perCaller) {
      return tooMany(`You have ${perCaller} requests under way, which is the most at once`);
    }
    if (workspace.underWay >= perWorkspace) {
      return tooMany(
        `Your workspace or network has ${perWorkspace} requests under way, which is the most at once`,
      );
    }
    if (tenant.arrived === 0) return this.#all.arrived >= 2 * inAll ? busy : null;
    const left = inAll - this.#all.arrived;
    if (left <= 0) return busy;
    if (tenant.arrived < left) return null;
    return tooMany(`Your account has ${tenant.arrived} requests at work, as many as are left for all others`);
  }

  #beyondShare(
    tenantName: string,
    { tenant, workspace, caller }: { tenant: Part; workspace: Part; caller: Part },
  ): Rejection | null {
    const delay = this.#delay;
    if (!delay) return null;
    const { room } = delay;
    if (!delay.isCongested && delay.atWork < Math.max(burstMin, burstRooms * room)) return null;
    const tenants = sharersOf(this.#all, tenant);
    // Of a flood few are at work, so that these do not wait for each other.
    const isFlood = this.#excess.get(tenantName)?.isHigh(this.#now()) ?? false;
    const ofTenant = Math.ceil((isFlood ? delay.shortRoom : room) / tenants);
    const ofWorkspace = Math.ceil(ofTenant / sharersOf(tenant, workspace));
    const ofCaller = Math.ceil(ofWorkspace / sharersOf(workspace, caller));
    const isFull = tenants > room && delay.atWork >= room;
    const hasRoom =
      tenant.atWork < ofTenant && workspace.atWork < ofWorkspace && caller.atWork < ofCaller && !isFull;
    if (hasRoom) return null;
    this.#noteRefused(tenantName, delay);
    return isFull ? busy : tooMany('You ask for more than your share of a busy server');
  }

  #noteRefused(tenantName: string, delay: DelayControl): void {
    delay.noteExcess();
    const known = this.#excess.get(tenantName);
    const excess = known ?? new ExcessShare();
    if (!known) this.#excess.set(tenantName, excess);
    excess.noteRefused(this.#now());
  }

  /** @param parts all, and then those on the path */
  #ticket(path: string[], parts: Part[]): Ticket {
    let isOver = false;
    let hasBegun = false;
    let isAtWork = false;
    const goOn = () => {
      if (isOver || isAtWork) return;
      isAtWork = true;
      this.#delay?.begin();
      setToWork(parts);
    };
    return {
      begin: () => {
        if (isOver || hasBegun) return;
        hasBegun = true;
        for (const part of parts) part.arrived += 1;
        goOn();
      },
      pause: () => {
        if (!isAtWork) return () => undefined;
        isAtWork = false;
        this.#delay?.pause();
        takeFromWork(parts);
        return goOn;
      },
      leave: () => {
        if (isOver) return;
        isOver = true;
        this.#excess.get(path[0] ?? '')?.noteDone(this.#now());
        if (isAtWork) {
          isAtWork = false;
          this.#delay?.end();
          takeFromWork(parts);
        }
        for (const [i, part] of parts.entries()) {
          const whole = parts[i - 1];
          const name = path[i - 1];
          part.underWay -= 1;
          if (hasBegun) part.arrived -= 1;
          if (part.underWay === 0 && name !== undefined) whole?.parts.delete(name);
        }
      },
    };
  }
}

function setToWork(parts: Part[]): void {
  for (const [i, part] of parts.entries()) {
    const whole = parts[i - 1];
    if (part.atWork === 0 && whole) whole.partsAtWork += 1;
    part.atWork += 1;
  }
}

function takeFromWork(parts: Part[]): void {
  for (const [i, part] of parts.entries()) {
    const whole = parts[i - 1];
    part.atWork -= 1;
    if (part.atWork === 0 && whole) whole.partsAtWork -= 1;
  }
}

/** Among how many a part of the whole has to share, were it at work too. */
function sharersOf(whole: Part, part: Part): number {
  return whole.partsAtWork + (part.atWork === 0 ? 1 : 0);
}

function tooMany(message: string): Rejection {
  return { code: 'TOO_MANY_REQUESTS', message: `${message}; try again in a moment`, retryAfterSeconds };
}

const busy: Rejection = {
  code: 'UNAVAILABLE',
  message: 'The server has more to do than it can; try again in a moment',
  retryAfterSeconds,
};

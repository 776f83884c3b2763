import { describe, expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import { FairQueue } from './fair-queue.ts';
import { Gate, type GateLimits, type Ticket } from './gate.ts';

const numbers = { perCaller: 32, perWorkspace: 64, inAll: 512, delay: null };
const controlled: GateLimits = { ...numbers, delay: { delayTargetMs: 40, atOnceMin: 4, floodMin: 2 } };

/** The code with which somebody is turned away; null: was let in. */
function refusal(gate: Gate, tenant: string, caller = 'key'): string | null {
  try {
    gate.enter({ tenant, caller });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    return error.code;
  }
}

describe('the numbers', () => {
  it('bound what a caller has under way, arrived or not', () => {
    const gate = new Gate(numbers, () => 0);
    const tickets = Array.from({ length: 32 }, () => gate.enter({ tenant: 'A', caller: 'key' }));
    expect(refusal(gate, 'A')).toBe('TOO_MANY_REQUESTS');
    expect(refusal(gate, 'A', 'another key')).toBeNull();
    tickets[0]?.leave();
    tickets[0]?.leave();
    expect(refusal(gate, 'A')).toBeNull();
    expect(refusal(gate, 'A')).toBe('TOO_MANY_REQUESTS');
  });

  it('bound what a workspace has under way, and nobody else', () => {
    const gate = new Gate(numbers, () => 0);
    const ask = (workspace: string, caller: string) => gate.findRejection({ tenant: 'A', workspace, caller });
    for (let i = 0; i < 64; i += 1) gate.enter({ tenant: 'A', workspace: 'full', caller: `key ${i}` });
    expect(ask('full', 'one more key')).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(ask('other', 'its key')).toBeNull();
    expect(refusal(gate, 'B')).toBeNull();
  });

  it('leave to all others as much as a tenant has at work, however many workspaces it has', () => {
    const gate = new Gate({ ...numbers, inAll: 10 }, () => 0);
    const enter = (tenant: string, i: number) =>
      gate.enter({ tenant, workspace: `${tenant} ${i}`, caller: `key ${i}` });
    const tickets = Array.from({ length: 5 }, (_, i) => enter('A', i));
    for (const ticket of tickets) ticket.begin();
    expect(() => enter('A', 5)).toThrow('Your account has 5 requests at work');
    for (let i = 0; i < 3; i += 1) enter('B', i).begin();
    expect(() => enter('B', 3)).toThrow('Your account has 3 requests at work');
    tickets[0]?.leave();
    tickets[1]?.leave();
    enter('B', 3).begin();
  });

  it('bound what is at work in all; what has not arrived whole holds up nobody', () => {
    const gate = new Gate({ ...numbers, inAll: 10 }, () => 0);
    const tickets = Array.from({ length: 20 }, (_, i) => gate.enter({ tenant: `T${i}`, caller: 'key' }));
    expect(refusal(gate, 'B')).toBeNull();
    for (const ticket of tickets.slice(0, 10)) ticket.begin();
    expect(refusal(gate, 'T1')).toBe('UNAVAILABLE');
    tickets[0]?.leave();
    tickets[2]?.leave();
    expect(refusal(gate, 'T1')).toBeNull();
  });

  it('let in one of a tenant that has nothing at work beyond what is at work in all, up to as many again', () => {
    const gate = new Gate({ ...numbers, inAll: 10 }, () => 0);
    for (const tenant of ['A', 'A', 'A', 'A', 'A', 'B', 'B', 'B', 'C', 'D'])
      gate.enter({ tenant, caller: 'key' }).begin();
    expect(refusal(gate, 'A')).toBe('UNAVAILABLE');
    for (let i = 0; i < 10; i += 1) {
      gate.enter({ tenant: `T${i}`, caller: 'key' }).begin();
      expect(refusal(gate, `T${i}`)).toBe('UNAVAILABLE');
    }
    expect(refusal(gate, 'E')).toBe('UNAVAILABLE');
  });
});

describe('requests that wait for something else', () => {
  /** Tickets of so many tenants, at work. */
  const atWork = (gate: Gate, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const ticket = gate.enter({ tenant: `W${i}`, caller: 'key' });
      ticket.begin();
      return ticket;
    });

  it('have no part in what is shared until they go on', () => {
    let now = 0;
    const gate = new Gate(controlled, () => now);
    const waiting = atWork(gate, 6);
    const goOn = waiting.map((ticket) => ticket.pause());
    now += 10_000;
    expect(refusal(gate, 'B')).toBeNull();
    for (const each of [...goOn, ...goOn]) each();
    for (let i = 0; i < 5; i += 1) {
      expect(gate.findRejection({ tenant: 'C', caller: 'key' })).toBeNull();
      now += 20;
    }
    expect(refusal(gate, 'C')).toBe('UNAVAILABLE');
    for (const ticket of waiting) ticket.leave();
    now += 1_001;
    expect(refusal(gate, 'C')).toBeNull();
  });

  it('stay under way and are there, and leave nothing behind when they go', () => {
    const gate = new Gate({ ...numbers, perCaller: 1, inAll: 6 }, () => 0);
    const waiting = atWork(gate, 6);
    const goOn = waiting.map((ticket) => ticket.pause());
    expect(refusal(gate, 'W0')).toBe('TOO_MANY_REQUESTS');
    expect(refusal(gate, 'W0', 'another key')).toBe('UNAVAILABLE');
    for (const ticket of waiting) ticket.leave();
    // Their index is there, and they are gone.
    for (const each of goOn) each();
    for (const ticket of waiting) ticket.pause()();
    for (let i = 0; i < 3; i += 1) gate.enter({ tenant: 'one', caller: `key ${i}` }).begin();
    expect(() => gate.enter({ tenant: 'one', caller: 'another key' })).toThrow('has 3 requests at work');
  });
});

interface Arrival {
  at: number;
  tenant: string;
  workspace?: string;
}

interface Outcome {
  /** From arrival to answer; null: turned away. */
  ms: number | null;
  arrival: Arrival;
}

interface Admitted {
  arrival: Arrival;
  ticket: Ticket;
}

/** What becomes of these requests at a server that does one after the other, each in 4 ms, tenants by turns. */
function simulate(arrivals: Arrival[]): Outcome[] {
  const serviceMs = 4;
  let now = 0;
  const gate = new Gate(controlled, () => now);
  const queue = new FairQueue<Admitted>(
    ({ arrival: { tenant, workspace = '' } }) => ({ path: [tenant, workspace], weight: 1 }),
    100 * serviceMs,
  );
  const outcomes: Outcome[] = [];
  let served: Admitted | null = null;
  let doneAt = Number.POSITIVE_INFINITY;
  const serve = () => {
    served = queue.takeNext();
    doneAt = served ? now + serviceMs : Number.POSITIVE_INFINITY;
  };
  const finish = (done: Admitted) => {
    now = doneAt;
    queue.charge(done, serviceMs);
    done.ticket.leave();
    outcomes.push({ arrival: done.arrival, ms: now - done.arrival.at });
    serve();
  };
  for (const arrival of arrivals) {
    while (served !== null && doneAt <= arrival.at) finish(served);
    now = arrival.at;
    try {
      const { tenant, workspace = '' } = arrival;
      const ticket = gate.enter({ tenant, workspace, caller: `key of ${workspace}` });
      ticket.begin();
      queue.add({ arrival, ticket });
      if (served === null) serve();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes.push({ arrival, ms: null });
    }
  }
  while (served !== null) finish(served);
  return outcomes;
}

/** One request each `everyMs`, from `from` on, by turns for so many workspaces. */
function steady(
  tenant: string,
  everyMs: number,
  { from, to, workspaces = 1 }: { from: number; to: number; workspaces?: number },
): Arrival[] {
  return Array.from({ length: Math.floor((to - from) / everyMs) }, (_, i) => ({
    at: from + i * everyMs,
    tenant,
    workspace: `${tenant} ${i % workspaces}`,
  }));
}

const inOrder = (...arrivals: Arrival[][]) => arrivals.flat().sort((a, b) => a.at - b.at);
const answered = (outcomes: Outcome[]) => outcomes.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
const percentile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

describe('while more is asked than can be done', () => {
  const flood = steady('A', 0.4, { from: 0, to: 20_000 });

  it('as much is done as ever, and what is let in does not wait', () => {
    const times = answered(simulate(flood));
    expect(times.length).toBeGreaterThan(0.95 * 5_000);
    expect(percentile(times, 0.98)).toBeLessThanOrEqual(20);
    expect(times.at(-1)).toBeLessThanOrEqual(32 * 4);
  });

  it('its first half second is as good as the rest but for the burst that a key may have', () => {
    const late = simulate(flood).filter(({ ms, arrival }) => ms !== null && ms > 40 && arrival.at < 20_000);
    // Of 32 at once ten are done in 40 ms; a few take the places of those.
    expect(late.length).toBeLessThanOrEqual(32 - 10 + 3);
    expect(Math.max(...late.map(({ arrival }) => arrival.at))).toBeLessThanOrEqual(20);
  });

  it('is as before at most 1.5 s after the flood', () => {
    const after = steady('A', 10, { from: 20_000, to: 30_000 });
    const late = simulate(inOrder(flood, after)).filter(({ arrival }) => arrival.at >= 21_500);
    expect(late.filter(({ ms }) => ms === null)).toEqual([]);
    expect(answered(late).at(-1)).toBe(4);
  });

  it('another tenant is let in, and finds no queue', () => {
    const others = steady('B', 25, { from: 5.1, to: 20_000 });
    const ofB = simulate(inOrder(flood, others)).filter(({ arrival }) => arrival.tenant === 'B');
    expect(ofB.filter(({ ms }) => ms === null)).toEqual([]);
    expect(answered(ofB).at(-1)).toBeLessThanOrEqual(8);
  });

  it('each of many tenants has its share', () => {
    const tenants = Array.from({ length: 8 }, (_, i) => `T${i}`);
    const floods = tenants.map((tenant, i) => steady(tenant, 4, { from: i * 0.45, to: 10_000 }));
    const outcomes = simulate(inOrder(...floods));
    const shares = tenants.map(
      (tenant) => answered(outcomes.filter(({ arrival }) => arrival.tenant === tenant)).length,
    );
    expect(Math.min(...shares)).toBeGreaterThan(0.7 * (2_500 / 8));
    // Two at work of each.
    expect(percentile(answered(outcomes), 0.95)).toBeLessThanOrEqual(2 * 8 * 4);
  });

  it('one with 20 workspaces has what one with a single workspace has', () => {
    const ofMany = steady('A', 0.4, { from: 0, to: 10_000, workspaces: 20 });
    const ofOne = steady('B', 4.1, { from: 0.1, to: 10_000 });
    const outcomes = simulate(inOrder(ofMany, ofOne));
    const shareOf = (of: string) => answered(outcomes.filter(({ arrival }) => arrival.tenant === of)).length;
    expect(shareOf('A') + shareOf('B')).toBeGreaterThan(0.95 * 2_500);
    expect(shareOf('B')).toBeGreaterThan(0.45 * 2_500);
    const ofEach = Array.from({ length: 20 }, (_, i) =>
      outcomes.filter(({ ms, arrival }) => ms !== null && arrival.workspace === `A ${i}`),
    );
    expect(ofEach.filter((done) => done.length === 0)).toEqual([]);
  });

  it('some of very many tenants are turned away, not all kept waiting', () => {
    const floods = Array.from({ length: 300 }, (_, i) => steady(`T${i}`, 100, { from: i * 0.33, to: 5_000 }));
    const times = answered(simulate(inOrder(...floods)));
    expect(times.length).toBeGreaterThan(0.95 * 1_250);
    expect(percentile(times, 0.9)).toBeLessThanOrEqual(60);
  });
});

describe('a burst', () => {
  it('is let in whole, again and again', () => {
    const bursts = Array.from({ length: 10 }, (_, i) =>
      Array.from({ length: 24 }, () => ({ at: 1_000 * i, tenant: 'A' })),
    );
    expect(simulate(inOrder(...bursts)).filter(({ ms }) => ms === null)).toEqual([]);
  });

  it('is none less for a machine that stands still meanwhile', () => {
    let now = 0;
    const gate = new Gate(controlled, () => now);
    for (let i = 0; i < 24; i += 1) {
      gate.enter({ tenant: 'A', caller: 'key' }).begin();
      if (i === 12) now += 10_000;
    }
    now += 10_000;
    expect(refusal(gate, 'A')).toBeNull();
  });
});

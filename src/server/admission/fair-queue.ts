import { FairShares } from './fair-shares.ts';

/** Where an item waits. */
export interface Place {
  tenant: string;
  /** Within the tenant; first in, first out. */
  lane: string;
  /** Of a lane of weight 1/4, each unit of cost counts as four. */
  weight: number;
}

/**
 * Items that wait for their turn: tenants take turns by what they have used, and so do the lanes of a tenant. So whoever queues much
 * waits behind its own, and a tenant that asks rarely is next.
 */
export class FairQueue<Item> {
  readonly #placeOf: (item: Item) => Place;
  readonly #debtMax: number;
  readonly #tenants: FairShares<string>;
  readonly #lanesOf = new Map<string, Lanes<Item>>();
  #size = 0;

  /** @param debtMax how much of what was used while nobody else waited counts against its user later */
  constructor(placeOf: (item: Item) => Place, debtMax: number) {
    this.#placeOf = placeOf;
    this.#debtMax = debtMax;
    this.#tenants = new FairShares(debtMax);
  }

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    const { tenant, lane } = this.#placeOf(item);
    const lanes = this.#lanesOf.get(tenant) ?? new Lanes<Item>(this.#debtMax);
    if (!this.#lanesOf.has(tenant)) {
      this.#lanesOf.set(tenant, lanes);
      this.#tenants.enter(tenant);
    }
    lanes.add(lane, item);
    this.#size += 1;
  }

  /** @returns false when it has left already */
  remove(item: Item): boolean {
    const { tenant, lane } = this.#placeOf(item);
    const lanes = this.#lanesOf.get(tenant);
    if (!lanes?.remove(lane, item)) return false;
    this.#removed(tenant, lanes);
    return true;
  }

  /** Null: none waits. */
  takeNext(): Item | null {
    const tenant = this.#tenants.next();
    const lanes = tenant === null ? undefined : this.#lanesOf.get(tenant);
    if (tenant === null || !lanes) return null;
    const item = lanes.takeNext();
    this.#removed(tenant, lanes);
    return item;
  }

  /** What an item that was taken has cost. */
  charge(item: Item, cost: number): void {
    const { tenant, lane, weight } = this.#placeOf(item);
    this.#tenants.charge(tenant, cost / weight);
    this.#lanesOf.get(tenant)?.shares.charge(lane, cost / weight);
  }

  takeAll(): Item[] {
    const all: Item[] = [];
    for (let item = this.takeNext(); item !== null; item = this.takeNext()) all.push(item);
    return all;
  }

  #removed(tenant: string, lanes: Lanes<Item>): void {
    this.#size -= 1;
    if (!lanes.isEmpty) return;
    this.#lanesOf.delete(tenant);
    this.#tenants.leave(tenant);
  }
}

/** What waits of one tenant. */
class Lanes<Item> {
  readonly shares: FairShares<string>;
  readonly #items = new Map<string, Set<Item>>();

  constructor(debtMax: number) {
    this.shares = new FairShares(debtMax);
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  add(lane: string, item: Item): void {
    const items = this.#items.get(lane);
    if (items) {
      items.add(item);
      return;
    }
    this.#items.set(lane, new Set([item]));
    this.shares.enter(lane);
  }

  remove(lane: string, item: Item): boolean {
    const items = this.#items.get(lane);
    if (!items?.delete(item)) return false;
    if (items.size === 0) {
      this.#items.delete(lane);
      this.shares.leave(lane);
    }
    return true;
  }

  takeNext(): Item | null {
    const lane = this.shares.next();
    if (lane === null) return null;
    for (const item of this.#items.get(lane) ?? []) {
      this.remove(lane, item);
      return item;
    }
    return null;
  }
}

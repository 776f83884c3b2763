import { FairShares } from './fair-shares.ts';

/** Where an item waits. */
export interface Place {
  /** From its tenant down to its lane, which is first in, first out; as long for each item of a queue. */
  path: readonly string[];
  /** Of a place of weight 1/4, each unit of cost counts as four. */
  weight: number;
}

/**
 * Items that wait for their turn: tenants take turns by what they have used, and so do the parts of a tenant, down to its lanes. So
 * whoever queues much waits behind its own, and a tenant that asks rarely is next.
 */
export class FairQueue<Item> {
  readonly #placeOf: (item: Item) => Place;
  readonly #all: Part<Item>;
  #size = 0;

  /** @param debtMax how much of what was used while nobody else waited counts against its user later */
  constructor(placeOf: (item: Item) => Place, debtMax: number) {
    this.#placeOf = placeOf;
    this.#all = new Part(debtMax);
  }

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    this.#all.add(item, this.#placeOf(item).path, 0);
    this.#size += 1;
  }

  /** @returns false when it has left already */
  remove(item: Item): boolean {
    const isRemoved = this.#all.remove(item, this.#placeOf(item).path, 0);
    if (isRemoved) this.#size -= 1;
    return isRemoved;
  }

  /** Null: none waits. */
  takeNext(): Item | null {
    return this.#taken(this.#all.takeNext(null));
  }

  /** The same among those that can have their turn now; the others stay where they are. */
  takeNextThat(canBeTaken: (item: Item) => boolean): Item | null {
    return this.#taken(this.#all.takeNext(canBeTaken));
  }

  /** Whether an item that waits has used no more than one that was taken, and that is not charged yet, had before. Not so in one lane. */
  comesBefore(item: Item, taken: Item): boolean {
    return this.#all.comesBefore(this.#placeOf(item).path, this.#placeOf(taken).path, 0);
  }

  /** What an item that was taken has cost. */
  charge(item: Item, cost: number): void {
    const { path, weight } = this.#placeOf(item);
    this.#all.charge(path, 0, cost / weight);
  }

  takeAll(): Item[] {
    const all: Item[] = [];
    for (let item = this.takeNext(); item !== null; item = this.takeNext()) all.push(item);
    return all;
  }

  #taken(item: Item | null): Item | null {
    if (item !== null) this.#size -= 1;
    return item;
  }
}

/** What waits of all, of a tenant or of a part of it: parts that take turns, or the items of a lane. */
class Part<Item> {
  readonly #debtMax: number;
  readonly #shares: FairShares<string>;
  readonly #parts = new Map<string, Part<Item>>();
  readonly #items = new Set<Item>();

  constructor(debtMax: number) {
    this.#debtMax = debtMax;
    this.#shares = new FairShares(debtMax);
  }

  add(item: Item, path: readonly string[], depth: number): void {
    const name = path[depth];
    if (name === undefined) {
      this.#items.add(item);
      return;
    }
    let part = this.#parts.get(name);
    if (!part) {
      part = new Part(this.#debtMax);
      this.#parts.set(name, part);
      this.#shares.enter(name);
    }
    part.add(item, path, depth + 1);
  }

  remove(item: Item, path: readonly string[], depth: number): boolean {
    const name = path[depth];
    if (name === undefined) return this.#items.delete(item);
    const part = this.#parts.get(name);
    if (!part?.remove(item, path, depth + 1)) return false;
    this.#leaveIfEmpty(name, part);
    return true;
  }

  /** `canBeTaken` null: any. */
  takeNext(canBeTaken: ((item: Item) => boolean) | null): Item | null {
    for (const item of this.#items) {
      if (canBeTaken !== null && !canBeTaken(item)) continue;
      this.#items.delete(item);
      return item;
    }
    const name =
      canBeTaken === null
        ? this.#shares.next()
        : this.#shares.next((each) => this.#parts.get(each)?.has(canBeTaken) ?? false);
    const part = name === null ? undefined : this.#parts.get(name);
    if (name === null || !part) return null;
    const item = part.takeNext(canBeTaken);
    this.#leaveIfEmpty(name, part);
    return item;
  }

  comesBefore(path: readonly string[], taken: readonly string[], depth: number): boolean {
    const [name, other] = [path[depth], taken[depth]];
    if (name === undefined || other === undefined) return false;
    if (name !== other) return this.#shares.usedOf(name) <= this.#shares.usedOf(other);
    return this.#parts.get(name)?.comesBefore(path, taken, depth + 1) ?? false;
  }

  has(isOne: (item: Item) => boolean): boolean {
    for (const item of this.#items) if (isOne(item)) return true;
    for (const part of this.#parts.values()) if (part.has(isOne)) return true;
    return false;
  }

  charge(path: readonly string[], depth: number, cost: number): void {
    const name = path[depth];
    if (name === undefined) return;
    this.#shares.charge(name, cost);
    this.#parts.get(name)?.charge(path, depth + 1, cost);
  }

  #leaveIfEmpty(name: string, part: Part<Item>): void {
    if (part.#items.size > 0 || part.#parts.size > 0) return;
    this.#parts.delete(name);
    this.#shares.leave(name);
  }
}

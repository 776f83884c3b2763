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
  readonly #all: Parts<Item>;
  #size = 0;

  /** @param debtMax how much of what was used while nobody else waited counts against its user later */
  constructor(placeOf: (item: Item) => Place, debtMax: number) {
    this.#placeOf = placeOf;
    this.#all = new Parts(debtMax);
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
type Part<Item> = Parts<Item> | Lane<Item>;

/** First in, first out. */
class Lane<Item> {
  readonly #items = new Set<Item>();

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  remove(item: Item): boolean {
    return this.#items.delete(item);
  }

  /** `canBeTaken` null: any. */
  takeNext(canBeTaken: ((item: Item) => boolean) | null): Item | null {
    for (const item of this.#items) {
      if (canBeTaken !== null && !canBeTaken(item)) continue;
      this.#items.delete(item);
      return item;
    }
    return null;
  }

  comesBefore(): boolean {
    return false;
  }

  has(isOne: (item: Item) => boolean): boolean {
    for (const item of this.#items) if (isOne(item)) return true;
    return false;
  }

  charge(): void {
    // Items of a lane have no shares.
  }
}

class Parts<Item> {
  readonly #debtMax: number;
  readonly #shares: FairShares<string>;
  readonly #parts = new Map<string, Part<Item>>();

  constructor(debtMax: number) {
    this.#debtMax = debtMax;
    this.#shares = new FairShares(debtMax);
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /** @param depth of the name in the path that one of these parts has */
  add(item: Item, path: readonly string[], depth: number): void {
    const name = nameAt(path, depth);
    let part = this.#parts.get(name);
    if (!part) {
      part = depth === path.length - 1 ? new Lane() : new Parts(this.#debtMax);
      this.#parts.set(name, part);
      this.#shares.enter(name);
    }
    part.add(item, path, depth + 1);
  }

  remove(item: Item, path: readonly string[], depth: number): boolean {
    const name = nameAt(path, depth);
    const part = this.#parts.get(name);
    if (!part?.remove(item, path, depth + 1)) return false;
    this.#leaveIfEmpty(name, part);
    return true;
  }

  takeNext(canBeTaken: ((item: Item) => boolean) | null): Item | null {
    if (this.#parts.size === 0) return null;
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
    const [name, other] = [nameAt(path, depth), nameAt(taken, depth)];
    if (name !== other) return this.#shares.usedOf(name) <= this.#shares.usedOf(other);
    return this.#parts.get(name)?.comesBefore(path, taken, depth + 1) ?? false;
  }

  has(isOne: (item: Item) => boolean): boolean {
    for (const part of this.#parts.values()) if (part.has(isOne)) return true;
    return false;
  }

  charge(path: readonly string[], depth: number, cost: number): void {
    const name = nameAt(path, depth);
    this.#shares.charge(name, cost);
    this.#parts.get(name)?.charge(path, depth + 1, cost);
  }

  #leaveIfEmpty(name: string, part: Part<Item>): void {
    if (!part.isEmpty) return;
    this.#parts.delete(name);
    this.#shares.leave(name);
  }
}

function nameAt(path: readonly string[], depth: number): string {
  return path[depth] ?? '';
}

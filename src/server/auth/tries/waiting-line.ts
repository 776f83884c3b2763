import { RecentMap } from '#server/memory/recent-map.ts';
import type { MonotonicClock } from './throttle.ts';

interface Place<Item> {
  names: string[];
  item: Item;
}

/** How many turns somebody had lately, at that moment. */
interface Turns {
  count: number;
  at: number;
}

/** A turn counts half as much after so long. */
const halvedAfterMs = 5 * 60_000;
const namesMax = 20_000;

/**
 * Those who wait for a turn, at most `placesMax`. Each has names, the widest first: the network, then the address within it. The next is
 * whoever had the fewest turns lately by its first name, among equals by the next name, then who came first. When there is no room, whoever
 * has had and waits for the most by those names leaves for a newcomer who has less.
 */
export class WaitingLine<Item> {
  readonly #placesMax: number;
  readonly #clock: MonotonicClock;
  /** In the order of their arrival. */
  readonly #places = new Set<Place<Item>>();
  readonly #waitingBy = new Map<string, number>();
  readonly #lately = new RecentMap<Turns>({ entriesMax: namesMax });

  constructor(placesMax: number, clock: MonotonicClock) {
    this.#placesMax = placesMax;
    this.#clock = clock;
  }

  /** Answers who has to leave for want of room: nobody, another one, or the newcomer. */
  join(names: string[], item: Item): Item | null {
    let left: Item | null = null;
    if (this.#places.size >= this.#placesMax) {
      const now = this.#clock();
      const heaviest = this.#heaviest(now);
      const own = names.map((name) => this.#turnsOf(name, now) + this.#waitingOf(name) + 1);
      if (heaviest === null || compare(heaviest.weights, own) <= 0) return item;
      this.#remove(heaviest.place);
      left = heaviest.place.item;
    }
    this.#places.add({ names, item });
    for (const name of names) this.#waitingBy.set(name, this.#waitingOf(name) + 1);
    return left;
  }

  /** Takes out who is next, whose turn begins. */
  next(): Item | null {
    const now = this.#clock();
    let best: { place: Place<Item>; weights: number[] } | null = null;
    for (const place of this.#places) {
      const weights = place.names.map((name) => this.#turnsOf(name, now));
      if (best === null || compare(weights, best.weights) < 0) best = { place, weights };
    }
    if (best === null) return null;
    this.#remove(best.place);
    this.countTurn(best.place.names);
    return best.place.item;
  }

  /** The turn begins of one who did not have to wait. */
  countTurn(names: string[]): void {
    const now = this.#clock();
    for (const name of names) this.#lately.set(name, { count: this.#turnsOf(name, now) + 1, at: now });
  }

  get size(): number {
    return this.#places.size;
  }

  /** Of equals the one that came last. */
  #heaviest(now: number): { place: Place<Item>; weights: number[] } | null {
    let worst: { place: Place<Item>; weights: number[] } | null = null;
    for (const place of this.#places) {
      const weights = place.names.map((name) => this.#turnsOf(name, now) + this.#waitingOf(name));
      if (worst === null || compare(weights, worst.weights) >= 0) worst = { place, weights };
    }
    return worst;
  }

  #turnsOf(name: string, now: number): number {
    const turns = this.#lately.peek(name);
    return turns ? turns.count * 0.5 ** ((now - turns.at) / halvedAfterMs) : 0;
  }

  #waitingOf(name: string): number {
    return this.#waitingBy.get(name) ?? 0;
  }

  #remove(place: Place<Item>): void {
    this.#places.delete(place);
    for (const name of place.names) {
      const left = this.#waitingOf(name) - 1;
      if (left === 0) this.#waitingBy.delete(name);
      else this.#waitingBy.set(name, left);
    }
  }
}

function compare(a: number[], b: number[]): number {
  for (const [place, weight] of a.entries()) {
    const difference = weight - (b[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

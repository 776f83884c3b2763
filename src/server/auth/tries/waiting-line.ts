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
 * has had and waits for the most by those names leaves for a newcomer who has less: of all, or else within what the newcomer is of.
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
      const leaver = this.#findLeaver(names);
      if (leaver === null) return item;
      this.#remove(leaver);
      left = leaver.item;
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

  /** Null: the newcomer. */
  #findLeaver(names: string[]): Place<Item> | null {
    const now = this.#clock();
    let places = [...this.#places];
    for (const [level, name] of names.entries()) {
      const own = names.slice(level).map((each) => this.#weightOf(each, now) + 1);
      const heaviest = this.#heaviest(places, level, now);
      if (heaviest !== null && compare(heaviest.weights, own) > 0) return heaviest.place;
      // Whoever takes the place of one of the same name adds nothing to that.
      places = places.filter((place) => place.names[level] === name);
    }
    return null;
  }

  /** By the names from a level on; of equals the one that came last. */
  #heaviest(
    places: Place<Item>[],
    level: number,
    now: number,
  ): { place: Place<Item>; weights: number[] } | null {
    let worst: { place: Place<Item>; weights: number[] } | null = null;
    for (const place of places) {
      const weights = place.names.slice(level).map((name) => this.#weightOf(name, now));
      if (worst === null || compare(weights, worst.weights) >= 0) worst = { place, weights };
    }
    return worst;
  }

  #weightOf(name: string, now: number): number {
    return this.#turnsOf(name, now) + this.#waitingOf(name);
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

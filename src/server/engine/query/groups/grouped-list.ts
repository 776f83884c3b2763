/**
 * A list of groups in place of one of hits. A group stands where its best hit does, its head, so that a list of groups is the list of their
 * heads: pages, pins and walks are those of any list. A pin is the head of its group, and before other hits within. Only groups on the page
 * are filled. O(n) twice, and a heap for each group on the page.
 */
import { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import { fillSteps } from '../../memory/fill-steps.ts';
import type { SearchScratch } from '../../memory/search-scratch.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { PinnedList } from '../pinned-list.ts';
import type { IsBefore } from '../walk/hit-order.ts';
import { type GroupedDocuments, groupDocuments } from './group-documents.ts';
import type { EngineGroup, Grouping } from './grouping.ts';

interface GroupParts {
  columns: ColumnStore;
  scratch: SearchScratch;
  /** Ordinals there are. */
  capacity: number;
  /** The order of hits. */
  isBefore: IsBefore;
}

/** The hits of some groups, group by group. */
interface GroupedHits {
  hits: Int32Array;
  groups: EngineGroup[];
}

const none = -1;

export class GroupedList {
  /** Heads, with the pins among them. */
  readonly heads: PinnedList;
  readonly #documents: PinnedList;
  readonly #grouped: GroupedDocuments;
  /** By group. */
  readonly #sizes: Int32Array;

  private constructor(
    documents: PinnedList,
    grouped: GroupedDocuments,
    { heads, sizes }: { heads: PinnedList; sizes: Int32Array },
  ) {
    this.heads = heads;
    this.#documents = documents;
    this.#grouped = grouped;
    this.#sizes = sizes;
  }

  /** @throws TooDearError */
  static *of(documents: PinnedList, grouping: Grouping, parts: GroupParts): Steps<GroupedList> {
    const { scratch, capacity, isBefore } = parts;
    const budget = new WorkBudget('groups');
    const grouped = yield* groupDocuments(documents.all, grouping, { ...parts, budget });
    const { groups, count } = grouped;
    const heads = yield* fillSteps(scratch.integers('heads', capacity + 1).subarray(0, count), none);
    const sizes = yield* fillSteps(scratch.integers('groupSizes', capacity + 1).subarray(0, count), 0);
    yield* documents.others.visit((ordinal) => {
      const group = groups[ordinal] ?? 0;
      const head = heads[group] ?? none;
      if (head === none || isBefore(ordinal, head)) heads[group] = ordinal;
      sizes[group] = (sizes[group] ?? 0) + 1;
    });
    const pinned: PinnedList['pinned'][number][] = [];
    const withPin = new Set<number>();
    for (const pin of documents.pinned) {
      const group = groups[pin.ordinal] ?? 0;
      sizes[group] = (sizes[group] ?? 0) + 1;
      heads[group] = none;
      if (!withPin.has(group)) pinned.push(pin);
      withPin.add(group);
    }
    const list = new PinnedList(yield* setOf(heads, capacity), pinned);
    return new GroupedList(documents, grouped, { heads: list, sizes });
  }

  /** The groups of these heads, each with its first hits. May be asked once. */
  *fill(
    page: Int32Array,
    { limit }: Grouping,
    { scratch, capacity, isBefore }: GroupParts,
  ): Steps<GroupedHits> {
    const { groups, count, keyOf } = this.#grouped;
    // Heads are known by now: the place of each group on the page.
    const places = yield* fillSteps(scratch.integers('heads', capacity + 1).subarray(0, count), none);
    for (const [place, head] of page.entries()) places[groups[head] ?? 0] = place;
    const pins: number[][] = Array.from(page, () => []);
    for (const { ordinal } of this.#documents.pinned)
      pins[places[groups[ordinal] ?? 0] ?? none]?.push(ordinal);
    const best = Array.from(page, () => new TopK(limit, isBefore));
    yield* this.#documents.others.visit((ordinal) => {
      const place = places[groups[ordinal] ?? 0] ?? none;
      if (place !== none) best[place]?.offer(ordinal, 0);
    });
    const hits: number[] = [];
    const filled: EngineGroup[] = [];
    for (const [place, head] of page.entries()) {
      const others = best[place] === undefined ? [] : (yield* best[place].sorted()).ordinals;
      const own = [...(pins[place] ?? []), ...others].slice(0, limit);
      hits.push(...own);
      filled.push({ key: keyOf(head), found: this.#sizes[groups[head] ?? 0] ?? 0, hits: own.length });
    }
    return { hits: Int32Array.from(hits), groups: filled };
  }

  /** Of a document in the list: its group, who heads it, and its own place in it, from 1. */
  *standingOf(
    ordinal: number,
    isBefore: IsBefore,
  ): Steps<Pick<EngineGroup, 'key' | 'found'> & { head: number; rank: number }> {
    const { groups, keyOf } = this.#grouped;
    const group = groups[ordinal] ?? 0;
    const pins = this.#documents.pinned.filter((pin) => groups[pin.ordinal] === group);
    const ownPin = pins.findIndex((pin) => pin.ordinal === ordinal);
    const key = keyOf(ordinal);
    const found = this.#sizes[group] ?? 0;
    if (ownPin >= 0) return { key, found, head: pins[0]?.ordinal ?? ordinal, rank: ownPin + 1 };
    let [best, before] = [ordinal, 0];
    yield* this.#documents.others.visit((other) => {
      if (groups[other] !== group || other === ordinal) return;
      if (isBefore(other, ordinal)) before += 1;
      if (isBefore(other, best)) best = other;
    });
    return { key, found, head: pins[0]?.ordinal ?? best, rank: pins.length + before + 1 };
  }
}

function* setOf(ordinals: Int32Array, capacity: number): Steps<Bitset> {
  const set = new Bitset(capacity);
  for (let from = 0; from < ordinals.length; from += stepUnits) {
    const to = Math.min(from + stepUnits, ordinals.length);
    for (let i = from; i < to; i += 1) {
      const ordinal = ordinals[i] ?? none;
      if (ordinal !== none) set.add(ordinal);
    }
    if (isPauseDue(to - from)) yield;
  }
  return set;
}

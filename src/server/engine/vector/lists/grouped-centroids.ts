/**
 * Centroids in groups around directions of their own, so that the nearest of many is looked for among those of the nearest groups: a row's list costs
 * as much as its root. A row that would be nearer to a centroid of a farther group lies nearly as well where it is.
 * Source: D. Nistér and H. Stewénius, Scalable Recognition with a Vocabulary Tree (CVPR 2006), with two levels.
 */
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { CodeShape } from '../kernels/code-shape.ts';
import { Centroids } from './centroids.ts';

/** Rounds of k-means over the centroids. */
const rounds = 3;
/** Groups are so many times the square root of the centroids. */
const groupsTimes = 1.5;
/** That are looked among. */
const nearGroups = 8;
/** Units of work for a component of a centroid that is compared, and of one that is put into a group. */
const componentUnits = 1 / 64;
const sumUnits = 1;

export class GroupedCentroids {
  readonly count: number;
  readonly #shape: CodeShape;
  readonly #centroids: Centroids;
  readonly #groups: Centroids;
  /** By group: its first centroid; and one behind the last. */
  readonly #starts: Int32Array;
  readonly #query: Int16Array;
  readonly #among: Uint32Array;
  readonly #allGroups: Uint32Array;

  constructor(shape: CodeShape, count: number) {
    this.count = count;
    this.#shape = shape;
    this.#centroids = new Centroids(shape, count);
    const groups = groupsFor(count);
    this.#groups = new Centroids(shape, groups);
    this.#starts = new Int32Array(groups + 1).fill(count, 1);
    this.#query = new Int16Array(shape.byteStride);
    this.#among = new Uint32Array(count / 32);
    this.#allGroups = new Uint32Array(groups / 32).fill(0xffff_ffff);
  }

  get memoryBytes(): number {
    return this.#centroids.memoryBytes + this.#groups.memoryBytes + this.#starts.byteLength;
  }

  /** Units of work to find one that is near. */
  get nearestUnits(): number {
    const compared = this.#groups.count + (this.count / this.#groups.count) * nearGroups;
    return compared * this.#shape.byteStride * componentUnits;
  }

  /** To find how near each is. */
  get scoresUnits(): number {
    return this.count * this.#shape.byteStride * componentUnits;
  }

  /** Any lengths of as many directions, rotated. They are put into an order by groups. */
  *set(directions: Float64Array[]): Steps<void> {
    const groupOf = yield* this.#grouped(directions);
    this.#starts.fill(0);
    for (const group of groupOf) this.#starts[group + 1] = (this.#starts[group + 1] ?? 0) + 1;
    for (let group = 0; group < this.#groups.count; group += 1)
      this.#starts[group + 1] = (this.#starts[group + 1] ?? 0) + (this.#starts[group] ?? 0);
    const next = this.#starts.slice();
    for (const [i, direction] of directions.entries()) {
      const group = groupOf[i] ?? 0;
      const place = next[group] ?? 0;
      next[group] = place + 1;
      this.#centroids.set(place, direction);
      if (isPauseDue(this.#shape.dimension * sumUnits)) yield;
    }
  }

  /** By direction. */
  *#grouped(directions: Float64Array[]): Steps<Int32Array> {
    const groups = this.#groups.count;
    const groupOf = new Int32Array(directions.length);
    const { dimension } = this.#shape;
    let sums = Array.from(
      { length: groups },
      (_, group) => directions[Math.floor(((group + 0.5) / groups) * directions.length)],
    );
    for (let round = 0; round <= rounds; round += 1) {
      for (const [group, sum] of sums.entries()) if (sum !== undefined) this.#groups.set(group, sum);
      sums = new Array(groups).fill(undefined);
      for (const [i, direction] of directions.entries()) {
        const group = this.#groups.nearest(codesOf(direction, this.#shape), this.#allGroups);
        groupOf[i] = group;
        sums[group] ??= new Float64Array(dimension);
        const sum = sums[group];
        for (let c = 0; c < dimension; c += 1) sum[c] = (sum[c] ?? 0) + (direction[c] ?? 0);
        if (isPauseDue(dimension * (3 * sumUnits + groups * componentUnits))) yield;
      }
    }
    return groupOf;
  }

  /** One that is near to a row's codes, of as many components as there are, padded. */
  nearest(codes: Int8Array): number {
    const query = this.#query;
    for (let i = 0; i < query.length; i += 1) query[i] = codes[i] ?? 0;
    const scores = this.#groups.scores(query, this.#allGroups);
    const among = this.#among.fill(0);
    for (let i = 0; i < nearGroups; i += 1) {
      const group = placeOfHighest(scores);
      scores[group] = Number.NEGATIVE_INFINITY;
      setBits(among, this.#starts[group] ?? 0, this.#starts[group + 1] ?? 0);
    }
    return this.#centroids.nearest(query, among);
  }

  /**
   * How near each is to a query's codes: more is nearer. All of them are looked at: of those in the nearest groups alone, three times as many as are read
   * then, half as many rows more were read for the same recall.
   */
  scores(codes: Int16Array): Float32Array {
    return this.#centroids.scores(codes, this.#among.fill(0xffff_ffff));
  }

  encode(writer: SectionWriter): void {
    writer.number(this.count);
    this.#centroids.encode(writer);
    this.#groups.encode(writer);
    writer.array(this.#starts);
  }

  /** @throws RangeError */
  static *decode(reader: SectionReader, shape: CodeShape): Steps<GroupedCentroids> {
    const grouped = new GroupedCentroids(shape, yield* reader.number());
    yield* grouped.#centroids.decode(reader);
    yield* grouped.#groups.decode(reader);
    grouped.#starts.set(yield* reader.int32());
    return grouped;
  }
}

/** A multiple of 32. */
function groupsFor(count: number): number {
  return Math.min(count, Math.max(32, Math.round((groupsTimes * Math.sqrt(count)) / 32) * 32));
}

function codesOf(direction: Float64Array, { byteStride }: CodeShape): Int16Array {
  const largest = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const share = largest > 0 ? 127 / largest : 0;
  const codes = new Int16Array(byteStride);
  for (const [i, value] of direction.entries()) codes[i] = Math.round(value * share);
  return codes;
}

function placeOfHighest(scores: Float32Array): number {
  let place = 0;
  for (let i = 1; i < scores.length; i += 1) if ((scores[i] ?? 0) > (scores[place] ?? 0)) place = i;
  return place;
}

function setBits(bits: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i += 1) bits[i >>> 5] = (bits[i >>> 5] ?? 0) | (1 << (i & 31));
}

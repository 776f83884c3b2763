import type { Point } from './point.ts';

/**
 * A polygon whose edges are straight on a map by degrees and go the shorter way around the earth, those of half a turn as they are written. Its corners
 * are laid out side by side, so that the date line is no border: a longitude may be beyond ±180. What lies on an edge is inside; else what a line
 * to the north meets an odd number of edges from. O(corners) for a point. Source: M. Shimrat, "Algorithm 112: Position of point relative to
 * polygon", CACM 5 (8), 1962.
 */
export class Polygon {
  readonly south: number;
  readonly north: number;
  /** Whether its edges enclose anything: they must not go around a pole, nor around the earth, and not lie on one line of the map. */
  readonly hasInside: boolean;
  readonly #west: number;
  readonly #east: number;
  readonly #lats: Float64Array;
  readonly #lngs: Float64Array;

  constructor(corners: readonly Point[]) {
    this.#lats = Float64Array.from(corners, ({ lat }) => lat);
    this.#lngs = new Float64Array(corners.length);
    let turns = 0;
    for (const [i, { lng }] of corners.entries()) {
      this.#lngs[i] = lng + turns * 360;
      const eastward = (corners[(i + 1) % corners.length]?.lng ?? lng) - lng;
      if (Math.abs(eastward) > 180) turns -= Math.sign(eastward);
    }
    this.south = Math.min(...this.#lats);
    this.north = Math.max(...this.#lats);
    this.#west = Math.min(...this.#lngs);
    this.#east = Math.max(...this.#lngs);
    this.hasInside = turns === 0 && this.#east - this.#west <= 360 && !this.#isFlat();
  }

  /** Whether all corners lie on one line. */
  #isFlat(): boolean {
    const [lat = 0] = this.#lats;
    const [lng = 0] = this.#lngs;
    const other = this.#lats.findIndex((each, i) => each !== lat || this.#lngs[i] !== lng);
    if (other < 0) return true;
    const northward = (this.#lats[other] ?? lat) - lat;
    const eastward = (this.#lngs[other] ?? lng) - lng;
    return this.#lats.every(
      (each, i) => (each - lat) * eastward === ((this.#lngs[i] ?? lng) - lng) * northward,
    );
  }

  holds(lat: number, lng: number): boolean {
    if (lat < this.south || lat > this.north) return false;
    const first = lng + 360 * Math.ceil((this.#west - lng) / 360);
    for (let x = first; x <= this.#east; x += 360) if (this.#holdsAt(lat, x)) return true;
    return false;
  }

  #holdsAt(lat: number, x: number): boolean {
    const lats = this.#lats;
    const lngs = this.#lngs;
    let isInside = false;
    let from = lngs.length - 1;
    for (let to = 0; to < lngs.length; from = to, to += 1) {
      const fromX = lngs[from] ?? 0;
      const toX = lngs[to] ?? 0;
      if ((x - fromX) * (x - toX) > 0) continue;
      const fromLat = lats[from] ?? 0;
      const toLat = lats[to] ?? 0;
      // On which side of the edge the point lies; without a division, so that whole degrees are exact.
      const side = (toLat - fromLat) * (x - fromX) - (lat - fromLat) * (toX - fromX);
      if (side === 0 && (lat - fromLat) * (lat - toLat) <= 0) return true;
      if (fromX > x !== toX > x && side > 0 === toX > fromX) isInside = !isInside;
    }
    return isInside;
  }
}

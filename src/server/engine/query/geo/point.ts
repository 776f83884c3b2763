/**
 * Points on the earth and how far they are apart. The earth is a sphere of its mean radius, which is wrong by .6 % at most; the haversine is exact
 * for near points too. Source: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (2), 1984; the mean radius is that of the IUGG
 * (H. Moritz, "Geodetic Reference System 1980").
 */
export interface Point {
  /** Degrees, −90 to 90. */
  lat: number;
  /** Degrees, −180 to 180. */
  lng: number;
}

const earthRadiusMeters = 6_371_008.8;
const radiansPerDegree = Math.PI / 180;

export function distanceMeters(a: Point, b: Point): number {
  const halfLat = Math.sin(((b.lat - a.lat) * radiansPerDegree) / 2);
  const halfLng = Math.sin(((b.lng - a.lng) * radiansPerDegree) / 2);
  const cosines = Math.cos(a.lat * radiansPerDegree) * Math.cos(b.lat * radiansPerDegree);
  const haversine = halfLat * halfLat + cosines * halfLng * halfLng;
  // Rounding may lead above 1 for points that lie opposite to each other.
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/**
 * Whether a point lies in a polygon whose edges are straight on a map by degrees, and go the shorter way round the earth. It is inside if a line
 * to the north crosses the edges an odd number of times. Source: M. Shimrat, "Algorithm 112: Position of point relative to polygon", CACM 5
 * (8), 1962. A polygon around a pole is none.
 */
export function isInPolygon({ lat, lng }: Point, corners: readonly Point[]): boolean {
  let isInside = false;
  for (const [i, corner] of corners.entries()) {
    const next = corners[(i + 1) % corners.length] ?? corner;
    // As seen from the point, so that the date line is far away.
    const from = turned(corner.lng - lng);
    const end = turned(next.lng - lng);
    const to = Math.abs(end - from) > 180 ? end - 360 * Math.sign(end - from) : end;
    if (from > 0 === to > 0) continue;
    const crossing = corner.lat - ((next.lat - corner.lat) * from) / (to - from);
    if (crossing > lat) isInside = !isInside;
  }
  return isInside;
}

/** Degrees from −180 to 180. */
function turned(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}

/** What a document's value says; null: it is no point. */
export function asPoint(value: unknown): Point | null {
  if (typeof value !== 'object' || value === null) return null;
  const { lat, lng } = Array.isArray(value) ? { lat: value[0], lng: value[1] } : (value as Partial<Point>);
  if (Array.isArray(value) && value.length !== 2) return null;
  if (typeof lat !== 'number' || typeof lng !== 'number') return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

/** A point, or those of a list; what is none is left out. */
export function pointsIn(value: unknown): Point[] {
  const own = asPoint(value);
  if (own !== null) return [own];
  return Array.isArray(value) ? value.flatMap((each) => asPoint(each) ?? []) : [];
}

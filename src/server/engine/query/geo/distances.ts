/**
 * How far points are apart, on a sphere of the earth's mean radius: wrong by .6 % at most. The haversine is exact for near points too. Filters,
 * sorting and hits compute distances here, so that they agree to the last bit. Sources: R. W. Sinnott, "Virtues of the Haversine", Sky and
 * Telescope 68 (2), 1984; the mean radius is that of the IUGG (H. Moritz, "Geodetic Reference System 1980").
 */
import { isPauseDue, type Steps } from '../../steps.ts';
import type { Field } from '../columns/field.ts';
import type { Point } from './point.ts';

/** Units of work: to compute a distance. */
export const distanceUnits = 32;
/** To look for a document's points. */
const documentUnits = 16;

const earthRadiusMeters = 6_371_008.8;
const radiansPerDegree = Math.PI / 180;
/** Along a meridian: two points whose latitudes differ by a degree are at least that far apart. */
export const metersPerDegree = earthRadiusMeters * radiansPerDegree;

export const metersOf = { m: 1, km: 1_000, mi: 1_609.344 } as const;

/** Meters from one point to others; numbers, as this is called for millions of points. */
export function distancesFrom(point: Point): (lat: number, lng: number) => number {
  const cosine = Math.cos(point.lat * radiansPerDegree);
  return (lat, lng) => {
    const halfLat = Math.sin(((lat - point.lat) * radiansPerDegree) / 2);
    const halfLng = Math.sin(((lng - point.lng) * radiansPerDegree) / 2);
    const haversine = halfLat * halfLat + cosine * Math.cos(lat * radiansPerDegree) * halfLng * halfLng;
    // Rounding may lead above 1 for points that lie opposite to each other.
    return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(haversine)));
  };
}

/** Of documents in which a field has points: the place in the list, and how far the nearest point is, or the farthest. */
export function* eachDistance(
  { latitudes, longitudes }: Field,
  { ordinals, from, isFarthest }: { ordinals: Int32Array; from: Point; isFarthest: boolean },
  take: (place: number, meters: number) => void,
): Steps<void> {
  if (latitudes === null || longitudes === null) return;
  const metersTo = distancesFrom(from);
  for (let place = 0; place < ordinals.length; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    let best: number | null = null;
    for (let at = latitudes.start(ordinal); latitudes.isOf(ordinal, at); at += 1) {
      const meters = metersTo(latitudes.values[at] ?? 0, longitudes.values[at] ?? 0);
      if (best === null || (isFarthest ? meters > best : meters < best)) best = meters;
      if (isPauseDue(distanceUnits)) yield;
    }
    if (best !== null) take(place, best);
    if (isPauseDue(documentUnits)) yield;
  }
}

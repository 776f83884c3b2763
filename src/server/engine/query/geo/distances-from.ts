/**
 * How far points are apart, on a sphere of the earth's mean radius: wrong by 0.6 % at most. The haversine is exact for near points too. Filters,
 * sorting and hits compute distances here, so that they agree to the last bit. Sources: R. W. Sinnott, "Virtues of the Haversine", Sky and
 * Telescope 68 (2), 1984; the mean radius is that of the IUGG (H. Moritz, "Geodetic Reference System 1980").
 */
import type { Point } from './point.ts';

/** Units of work: to compute a distance. */
export const distanceUnits = 32;

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

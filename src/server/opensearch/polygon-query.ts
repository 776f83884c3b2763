import type { Point } from '#server/engine/search-index.ts';
import { pointOf } from './field-names.ts';
import { anyOf, type Query } from './query.ts';

/** A corner whose longitude may be beyond ±180. */
interface Corner {
  lat: number;
  lng: number;
}

/** Points within corners whose edges go the shorter way around the earth: the cluster knows no edge over the date line, so what lies beyond it is asked for apart. */
export function polygonQuery(slot: string, corners: readonly Point[]): Query {
  const laidOut = layOut(corners);
  const parts = [-360, 0, 360].map((turn) =>
    within(laidOut.map(({ lat, lng }) => ({ lat, lng: lng + turn }))),
  );
  return anyOf(
    parts
      .filter((part) => new Set(part.map(({ lng }) => lng)).size > 1)
      .map((part) => ({ geo_polygon: { [slot]: { points: part.map(pointOf) } } })),
  );
}

/** Side by side, as if the date line were no border. */
function layOut(corners: readonly Point[]): Corner[] {
  let turns = 0;
  return corners.map(({ lat, lng }, i) => {
    const corner = { lat, lng: lng + turns * 360 };
    const eastward = (corners[(i + 1) % corners.length]?.lng ?? lng) - lng;
    if (Math.abs(eastward) > 180) turns -= Math.sign(eastward);
    return corner;
  });
}

/** The part from −180° to 180°. Source: I. Sutherland, G. Hodgman, "Reentrant polygon clipping", CACM 17 (1), 1974. */
function within(corners: Corner[]): Corner[] {
  return cut(cut(corners, 180, 1), -180, -1);
}

/** The part on one side of a meridian: west of it for a sign of 1, else east. */
function cut(corners: Corner[], meridian: number, sign: 1 | -1): Corner[] {
  const isIn = ({ lng }: Corner) => sign * (lng - meridian) <= 0;
  return corners.flatMap((to, i) => {
    const from = corners.at(i - 1) ?? to;
    const share = (meridian - from.lng) / (to.lng - from.lng);
    const crossing = { lat: from.lat + share * (to.lat - from.lat), lng: meridian };
    const entering = isIn(from) === isIn(to) ? [] : [crossing];
    return isIn(to) ? [...entering, to] : entering;
  });
}

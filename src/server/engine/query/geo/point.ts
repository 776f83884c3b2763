/** A place on the earth, as documents write it. */
export interface Point {
  /** Degrees, −90 to 90. */
  lat: number;
  /** Degrees, −180 to 180. */
  lng: number;
}

/** What a document's value says; null: it is no point. */
export function asPoint(value: unknown): Point | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value) && value.length !== 2) return null;
  const { lat, lng } = Array.isArray(value) ? { lat: value[0], lng: value[1] } : (value as Partial<Point>);
  if (typeof lat !== 'number' || typeof lng !== 'number') return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

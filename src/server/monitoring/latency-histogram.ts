/**
 * Response times as counts by bucket, so that those of any minutes and servers can be added up and percentiles be read from the sum. Bucket i holds what took up to
 * `leastMs · growth^i`: a percentile is off by less than 5 % of its value, whatever that is (Masson, Rim, Lee: DDSketch, 2019).
 */

const leastMs = 0.1;
const growth = 1.1;
const logGrowth = Math.log(growth);
/** Ten minutes: what takes longer counts as that. */
const placesMax = Math.ceil(Math.log(600_000 / leastMs) / logGrowth);

/** Counts by bucket, without the empty ones behind the last. */
export type Histogram = readonly number[];

/** Counts one response among those of a histogram. */
export function countResponse(counts: number[], ms: number): void {
  const place = placeOf(ms);
  while (counts.length <= place) counts.push(0);
  counts[place] = (counts[place] ?? 0) + 1;
}

export function addHistograms(a: Histogram, b: Histogram): number[] {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const sum = long.slice();
  for (let i = 0; i < short.length; i += 1) sum[i] = (sum[i] ?? 0) + (short[i] ?? 0);
  return sum;
}

/** Milliseconds that a share of all took at most; null of none. */
export function quantileOf(counts: Histogram, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  const place = counts.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  return msOf(place);
}

/** The bucket of a response that took so long. */
function placeOf(ms: number): number {
  if (!(ms > leastMs)) return 0;
  return Math.min(placesMax, Math.ceil(Math.log(ms / leastMs) / logGrowth));
}

/** What is off by least from all in the bucket, in proportion. */
function msOf(place: number): number {
  const ms = place === 0 ? leastMs : (2 * leastMs * growth ** place) / (1 + growth);
  return Number(ms.toPrecision(3));
}

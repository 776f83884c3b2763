/**
 * What a search's scores are summed up in. Fresh arrays for each search, megabytes of them, cost more than the search itself in pages to
 * clear and memory to collect, so they are used again; but never by two searches at once, as one may pause while another runs.
 */
export class ScorerScratch {
  /** Zero between words. */
  frequencies = new Float64Array(0);
  scores = new Float64Array(0);
  covered = new Float64Array(0);

  makeRoom(capacity: number): void {
    if (this.scores.length >= capacity) return;
    const room = capacity + (capacity >>> 3);
    this.frequencies = new Float64Array(room);
    this.scores = new Float64Array(room);
    this.covered = new Float64Array(room);
  }
}

/** Kept when their searches have ended. More are only needed while several searches pause. */
const sparesMax = 2;
const spares: ScorerScratch[] = [];

export function takeScratch(): ScorerScratch {
  return spares.pop() ?? new ScorerScratch();
}

/** Nothing may read it any more. */
export function giveBackScratch(scratch: ScorerScratch): void {
  if (spares.length < sparesMax) spares.push(scratch);
}

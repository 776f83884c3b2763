/** A calendar month in UTC. */
export interface Month {
  start: Date;
  /** The start of the next one. */
  end: Date;
}

export function monthOf(moment: Date): Month {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

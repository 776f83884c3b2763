/** A calendar month in UTC. */
export interface Month {
  start: Date;
  /** The start of the next one. */
  end: Date;
}

export function monthOf(moment: Date): Month {
  if (!(moment >= known.start && moment < known.end)) known = calendarMonth(moment);
  return known;
}

/** The month that was asked for last, which each request asks for. */
let known = calendarMonth(new Date(0));

function calendarMonth(moment: Date): Month {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

interface PinnedPlace {
  id: string;
  /** From 0, in the whole list. */
  place: number;
}

/**
 * Pins that pass, in a list with so many others: each stands at its position, behind an earlier one that has it, or where the list ends before that. Of the
 * embedded engine's `PinnedList`, with ids.
 */
export function pinnedPlaces(pins: { id: string; position: number }[], others: number): PinnedPlace[] {
  let last = -1;
  return pins
    .toSorted((a, b) => a.position - b.position)
    .map(({ id, position }, i) => {
      last = Math.max(last + 1, position - 1);
      return { id, place: Math.min(last, others + i) };
    });
}

/** Which of the others a page has, before it is known what they are: all pins that pass are there to be placed. */
export function othersOfPage(pins: PinnedPlace[], { offset, limit }: { offset: number; limit: number }) {
  const before = pins.filter(({ place }) => place < offset).length;
  const within = pins.filter(({ place }) => place >= offset && place < offset + limit);
  return { offset: offset - before, limit: limit - within.length, within };
}

import type { Override } from '#shared/overrides.ts';

type Pins = NonNullable<Override['includes']>;

/** In the order in which they are shown. */
export function pinsOf({ includes = [] }: Pick<Override, 'includes'>): Pins {
  return includes.toSorted((a, b) => a.position - b.position);
}

/**
 * A document at a place: one that is pinned already changes places with what is pinned there, for a new one the pins from there on make room.
 * What is pinned is not left out.
 */
export function withPin(override: Override, id: string, position: number): Override {
  const pins = pinsOf(override);
  const own = pins.find((pin) => pin.id === id);
  const others = pins.filter((pin) => pin.id !== id);
  const moved = own
    ? others.map((pin) => (pin.position === position ? { ...pin, position: own.position } : pin))
    : madeRoom(others, position);
  return {
    ...withoutHidden(override, id),
    includes: pinsOf({ includes: [...moved, { id, position }] }),
  };
}

/** As far as there is no free place. */
function madeRoom(pins: Pins, position: number): Pins {
  let taken = position;
  return pins.map((pin) => {
    if (pin.position !== taken) return pin;
    taken += 1;
    return { ...pin, position: taken };
  });
}

export function withoutPin(override: Override, id: string): Override {
  return { ...override, includes: pinsOf(override).filter((pin) => pin.id !== id) };
}

/** What is left out is not pinned. */
export function withHidden(override: Override, id: string): Override {
  const excludes = (override.excludes ?? []).filter((hidden) => hidden.id !== id);
  return { ...withoutPin(override, id), excludes: [...excludes, { id }] };
}

export function withoutHidden(override: Override, id: string): Override {
  return { ...override, excludes: (override.excludes ?? []).filter((hidden) => hidden.id !== id) };
}

/** Gives each heading of an article its anchor, as GitHub does: a second heading of the same words gets `-1`, a third `-2`. */
export function anchorGiver(): (heading: string) => string {
  const given = new Map<string, number>();
  return (heading) => {
    const anchor = anchorOf(heading);
    const before = given.get(anchor) ?? 0;
    given.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Lower-cased, runs of anything but a-z and 0-9 become one hyphen, none at the ends. May be empty for names without ASCII letters. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}

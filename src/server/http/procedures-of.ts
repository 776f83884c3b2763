export const trpcPath = '/trpc';

/** As tRPC reads them: from the path as `URL` has put it in order, whatever slashes stand around them. Null: not valid URL encoding. */
export function proceduresOf({ pathname }: URL): string[] | null {
  const names = withoutSlashesAround(pathname.slice(trpcPath.length));
  try {
    return decodeURIComponent(names).split(',');
  } catch {
    return null;
  }
}

/** One pass: a pattern for slashes at the end would begin anew at each of many in the middle. */
function withoutSlashesAround(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

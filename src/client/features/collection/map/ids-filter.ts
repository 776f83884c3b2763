/** A page's address with a filter in it: servers and browsers read some 8,000 characters. */
const addressCharactersMax = 6_000;

/** A filter that documents with these ids pass, of as many as an address holds. */
export function idsFilter(ids: string[]): { filter: string; count: number } {
  let characters = 0;
  const held: string[] = [];
  for (const id of ids) {
    const written = quoted(id);
    characters += encodeURIComponent(`${written}, `).length;
    if (characters > addressCharactersMax && held.length > 0) break;
    held.push(written);
  }
  return { filter: `id:[${held.join(', ')}]`, count: held.length };
}

/** In backticks, where a backtick is two. */
function quoted(id: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(id) ? id : `\`${id.replaceAll('`', '``')}\``;
}

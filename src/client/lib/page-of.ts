/** So many things of a list stand on a page of the console; more cost a slow machine the answer to each key. */
const rowsPerPage = 24;
/** What an address may ask for. */
export const listPageMax = 10_000;

/** The part of a list that a page shows. A page behind the last one is the last one: rows may have been deleted. */
export function pageOf<Row>(rows: Row[], page: number): { shown: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const within = Math.min(Math.max(1, page), pages);
  return { shown: rows.slice((within - 1) * rowsPerPage, within * rowsPerPage), page: within, pages };
}

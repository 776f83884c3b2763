import { titleFields } from '#client/lib/document-title.ts';

export interface KnownField {
  path: string;
  types: string[];
  documentCount: number;
}

const columnsShown = 5;
/** A name with these characters cannot be written in `sort_by` nor `include_fields`. */
const written = (path: string) => !/[,(:]/.test(path);

/** The fields that can be a column: the title stands in the first one already. */
export function columnFields(fields: KnownField[]): KnownField[] {
  return fields.filter(({ path }) => path !== 'id' && !titleFields.includes(path) && written(path));
}

/** Those that most documents bear, in their own order. */
export function pickColumns(fields: KnownField[]): string[] {
  const candidates = columnFields(fields);
  const most = new Set(
    candidates
      .toSorted((a, b) => b.documentCount - a.documentCount)
      .slice(0, columnsShown)
      .map(({ path }) => path),
  );
  return candidates.map(({ path }) => path).filter((path) => most.has(path));
}

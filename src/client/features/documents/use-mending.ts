import { useReducer } from 'react';
import { applyRule, cellOf, editedValue, type RejectedRow, type Rule, wantsText } from './rejects.ts';
import type { Row } from './upload-format.ts';

interface Mended {
  fields: Row | null;
  /** What stands in cells that were typed in: a number that is not finished would be written in another way. */
  typed: Record<string, string>;
  /** Of a row that could not be read as fields. */
  text: string;
  isLeftOut: boolean;
}

/** By what refused the rows: a dialog that was closed goes on where it was. */
const kept = new WeakMap<object, ReadonlyMap<number, Mended>>();

/** What is done to the rows, by their index. `owner`: what refused them, the same at each opening. */
export function useMending(rows: RejectedRow[], owner: object) {
  const [, showAgain] = useReducer((count: number) => count + 1, 0);
  const of = (row: RejectedRow): Mended =>
    kept.get(owner)?.get(row.index) ?? {
      fields: row.fields,
      typed: {},
      text: row.text,
      isLeftOut: row.isUneven,
    };
  const put = (changed: [number, Mended][]) => {
    kept.set(owner, new Map([...(kept.get(owner) ?? []), ...changed]));
    showAgain();
  };
  const documentOf = (row: RejectedRow): Row | null => {
    const { fields, text, isLeftOut } = of(row);
    return isLeftOut ? null : (fields ?? parsedObject(text));
  };

  return {
    of,
    cell: (row: RejectedRow, name: string): string => {
      const { typed, fields } = of(row);
      return typed[name] ?? cellOf(fields?.[name]);
    },
    setCell: (row: RejectedRow, name: string, text: string) => {
      const before = of(row);
      const value = wantsText(row, name) ? text : editedValue(text);
      const typed = { ...before.typed, [name]: text };
      const isLeftOut = !row.isUneven && before.isLeftOut;
      put([[row.index, { ...before, typed, isLeftOut, fields: { ...before.fields, [name]: value } }]]);
    },
    setText: (row: RejectedRow, text: string) => put([[row.index, { ...of(row), text }]]),
    setLeftOut: (row: RejectedRow, isLeftOut: boolean) => put([[row.index, { ...of(row), isLeftOut }]]),
    /** What it says now is a document. */
    isReadable: (row: RejectedRow): boolean => documentOf(row) !== null || of(row).isLeftOut,
    /** To all of these rows. */
    apply: (all: RejectedRow[], { rule, field, text }: { rule: Rule; field: string; text: string }) =>
      put(
        all.map((row): [number, Mended] => {
          const before = of(row);
          if (rule === 'leave out') return [row.index, { ...before, isLeftOut: true }];
          if (!before.fields) return [row.index, before];
          const isText = rule === 'set' && wantsText(row, field);
          const value = isText ? text : applyRule(before.fields[field], rule, text);
          const { [field]: _, ...typed } = before.typed;
          return [row.index, { ...before, typed, fields: { ...before.fields, [field]: value } }];
        }),
      ),
    /** Those that are sent: what is no JSON yet is not. */
    documents: (): Row[] => rows.map(documentOf).filter((document) => document !== null),
    /** Those that were sent are not sent again; what is wrong with them still is told anew. */
    leaveOutSent: () =>
      put(
        rows.filter(documentOf).map((row): [number, Mended] => [row.index, { ...of(row), isLeftOut: true }]),
      ),
  };
}

export type Mending = ReturnType<typeof useMending>;

function parsedObject(text: string): Row | null {
  const value = editedValue(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
}

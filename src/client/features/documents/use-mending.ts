import { useState } from 'react';
import { applyRule, editedValue, type RejectedRow, type Rule } from './rejects.ts';
import type { Row } from './upload-format.ts';

interface Mended {
  fields: Row | null;
  /** Of a row that could not be read as fields. */
  text: string;
  isLeftOut: boolean;
}

/** What is done to the rows, by their index. */
export function useMending(rows: RejectedRow[]) {
  const [mended, setMended] = useState<ReadonlyMap<number, Mended>>(new Map());
  const of = (row: RejectedRow): Mended =>
    mended.get(row.index) ?? { fields: row.fields, text: row.text, isLeftOut: false };
  const put = (changed: [number, Mended][]) => setMended((before) => new Map([...before, ...changed]));

  return {
    of,
    setCell: (row: RejectedRow, name: string, text: string) => {
      const before = of(row);
      put([[row.index, { ...before, fields: { ...before.fields, [name]: editedValue(text) } }]]);
    },
    setText: (row: RejectedRow, text: string) => put([[row.index, { ...of(row), text }]]),
    setLeftOut: (row: RejectedRow, isLeftOut: boolean) => put([[row.index, { ...of(row), isLeftOut }]]),
    /** To all of these rows. */
    apply: (all: RejectedRow[], { rule, field, text }: { rule: Rule; field: string; text: string }) =>
      put(
        all.map((row): [number, Mended] => {
          const before = of(row);
          if (rule === 'leave out') return [row.index, { ...before, isLeftOut: true }];
          if (!before.fields) return [row.index, before];
          const value = applyRule(before.fields[field], rule, text);
          return [row.index, { ...before, fields: { ...before.fields, [field]: value } }];
        }),
      ),
    /** Those that are sent: what is no JSON yet is not. */
    documents: (): Row[] =>
      rows.flatMap((row) => {
        const { fields, text, isLeftOut } = of(row);
        if (isLeftOut) return [];
        const document = fields ?? parsedObject(text);
        return document ? [document] : [];
      }),
  };
}

export type Mending = ReturnType<typeof useMending>;

function parsedObject(text: string): Row | null {
  const value = editedValue(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
}

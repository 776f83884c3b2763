// @vitest-environment node
import { expect, it } from 'vitest';
import type { ImportResult } from '#shared/documents.ts';
import { proposeColumns } from './import-plan.ts';
import { inferFields } from './infer-fields.ts';
import { readRejects } from './read-rejects.ts';
import { readSummary } from './read-summary.ts';
import { applyRule, byCause, editedValue, rejectsFile, rowsMendedMax } from './rejects.ts';
import { repeatWords } from './repeats.ts';
import { toUpload } from './to-upload.ts';
import { previewFile } from './upload-format.ts';

const { signal } = new AbortController();

async function rejectsOf(text: string, failures: ImportResult[], rowsMax?: number) {
  const file = new File([text], 'rows');
  const { head, contents } = await previewFile(file);
  const [content] = contents;
  const fields = inferFields(content);
  const plan = { content, fields, columns: proposeColumns(content, fields) };
  const upload = await toUpload(file, { head, plan }, signal);
  const outcome = { succeeded: 1, failed: failures.length, faults: [], failures, repeats: null };
  const collection = { id: 1, name: 'books' };
  return await readRejects({ collection, file, head, plan, upload, outcome }, signal, rowsMax);
}

const fault = { id: null, success: false, code: 'BAD_REQUEST', error: 'year: must be a number' } as const;

it('reads the rows that failed once more, whatever they stand in', async () => {
  const fields = { id: 'b', year: 'soon' };
  const rows = [{ id: 'a', year: '1' }, fields, { id: 'c', year: '3' }];
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  for (const text of [lines, JSON.stringify(rows), JSON.stringify({ data: rows }, null, 1)]) {
    expect(await rejectsOf(text, [{ index: 1, ...fault }])).toMatchObject([
      { index: 1, field: 'year', fields },
    ]);
  }
});

it('finds the row of a table by its line, also after rows of several lines', async () => {
  const table = 'id,text,year\n1,"a\nb",1990\n2,"c\r\nd, e",soon\n3,f,1991,more\n';
  const rows = await rejectsOf(table, [
    { index: 1, line: 4, ...fault },
    { index: 2, line: 6, ...fault, error: 'The row has 4 cells, the header has 3' },
  ]);
  expect(rows).toMatchObject([
    { fields: { id: '2', text: 'c\nd, e', year: 'soon' }, field: 'year' },
    { fields: { id: '3', text: 'f', year: '1991,more' }, field: null, isUneven: true },
  ]);
  expect(rows[0]?.isUneven).toBe(false);
  const [short] = await rejectsOf('id,text,year\n1,a\n2,b,1990\n', [{ index: 0, line: 2, ...fault }]);
  expect(short).toMatchObject({ fields: { id: '1', text: 'a', year: undefined }, isUneven: true });
  expect(Object.keys(short?.fields ?? {})).toEqual(['id', 'text', 'year']);
});

it('puts rows of one cause together, in the order of the causes', async () => {
  const row = { code: '', field: null, fields: null, text: '', isUneven: false };
  const rows = [
    { ...row, index: 1, error: 'The row has 4 cells, the header has 3' },
    { ...row, index: 2, error: 'year: must be a number' },
    { ...row, index: 3, error: 'The row has 2 cells, the header has 3' },
  ];
  const causes = byCause(rows, [
    { code: '', message: 'The row has N cells, the header has N', count: 2, rows: [1, 3] },
    { code: '', message: 'year: must be a number', count: 1, rows: [2] },
  ]);
  expect(causes.map(({ cause, rows: own }) => [cause, own.map(({ index }) => index)])).toEqual([
    ['The row has N cells, the header has N', [1, 3]],
    ['year: must be a number', [2]],
  ]);
});

it.each([
  ['$1,299.50', 1299.5],
  ['1.299,50 €', 1299.5],
  ['42', 42],
  ['soon', 'soon'],
])('reads %j as a number', (text, value) => {
  expect(applyRule(text, 'number', '')).toBe(value);
});

it('takes what is typed for what it looks like', () => {
  expect(['', '12', 'true', '["a"]', 'Dune', '"quoted"'].map(editedValue)).toEqual([
    undefined,
    12,
    true,
    ['a'],
    'Dune',
    '"quoted"',
  ]);
});

it('tells rows with their reasons', async () => {
  const failures = [{ index: 1, ...fault }];
  const rows = await rejectsOf('{"id":"a"}\n{"id":"b","year":"soon"}', failures);
  expect(JSON.parse(rejectsFile(rows, failures))).toEqual({
    row: 2,
    id: null,
    code: 'BAD_REQUEST',
    error: 'year: must be a number',
    source: { id: 'b', year: 'soon' },
  });
});

it('reads more than can be mended where they are asked for, with their texts', async () => {
  const count = rowsMendedMax + 500;
  const failures = Array.from({ length: count }, (_, index) => ({ index, ...fault }));
  const text = failures.map(({ index }) => JSON.stringify({ n: index })).join('\n');
  expect(await rejectsOf(text, failures)).toHaveLength(rowsMendedMax);
  const rows = await rejectsOf(text, failures, failures.length);
  const lines = rejectsFile(rows, failures).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).source)).toEqual(failures.map(({ index }) => ({ n: index })));
});

it.each([
  [
    ['a', 'b', 'a', null, null],
    { documents: 4, ids: 1, times: 2 },
    '1 id came twice, and its last row counts',
  ],
  [['a', 'a', 'a'], { documents: 1, ids: 1, times: 3 }, '1 id came 3 times, and its last row counts'],
  [
    ['a', 'b', 'b', 'a', 'a'],
    { documents: 2, ids: 2, times: null },
    '2 ids came more than once, and of each the last row counts',
  ],
  [['a', 'b'], { documents: 2, ids: 0, times: null }, null],
])('counts the documents that rows with the ids %j come to', async (ids, repeats, words) => {
  const results = [
    { index: 0, id: 'a', success: false },
    ...ids.map((id, i) => ({ index: i + 1, id, success: true })),
  ];
  const answer = new Blob([JSON.stringify({ succeeded: ids.length, failed: 1, faults: [], results })]);
  const outcome = await readSummary(answer);
  expect(outcome?.repeats).toEqual(repeats);
  expect(repeatWords(repeats, 'came')).toBe(words);
});

it('does not count a very long answer, of which its rows are told', async () => {
  const results = [{ index: 0, id: 'x'.repeat(17 * 1024 * 1024), success: true }];
  const answer = new Blob([JSON.stringify({ succeeded: 1, failed: 0, faults: [], results })]);
  expect((await readSummary(answer))?.repeats).toBeNull();
});

it('keeps of a long answer what failed', async () => {
  const results = Array.from({ length: 30_000 }, (_, index) =>
    index % 1_000 === 7
      ? { index, ...fault, id: `"],${index}` }
      : { index, id: `"success":false ${index}`, success: true },
  );
  const summary = { succeeded: 29_970, failed: 30, faults: [] };
  const answer = new Blob([JSON.stringify({ ...summary, results })]);
  const outcome = await readSummary(answer);
  expect(outcome).toEqual({
    ...summary,
    failures: results.filter(({ success }) => !success),
    repeats: { documents: 29_970, ids: 0, times: null },
  });
  expect(await readSummary(new Blob(['{"message":"no","code":"CONFLICT"}']))).toBeNull();
});

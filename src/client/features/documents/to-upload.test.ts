// @vitest-environment node
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArrayScanner } from './array-scanner.ts';
import { countRows, hasMoreRows } from './count-rows.ts';
import { proposeColumns } from './import-plan.ts';
import { inferFields } from './infer-fields.ts';
import { toUpload } from './to-upload.ts';
import { previewFile } from './upload-format.ts';

const { signal } = new AbortController();

async function uploadOf(...parts: BlobPart[]) {
  const file = new Blob(parts);
  const { head, contents } = await previewFile(file);
  const [content] = contents;
  const fields = inferFields(content);
  const plan = { content, fields, columns: proposeColumns(content, fields) };
  const upload = await toUpload(file, { head, plan }, signal);
  const bytes = Buffer.from(await upload.body.arrayBuffer());
  return { file, upload, plan, text: (upload.isGzip ? gunzipSync(bytes) : bytes).toString() };
}

it('sends what the server takes as it is', async () => {
  const lines = await uploadOf('{"id":"a"}\n{"id":"b"}\n');
  expect(lines.upload.body).toBe(lines.file);
  expect(lines.upload.mediaType).toBe('application/x-ndjson');
  const packed = await uploadOf(gzipSync('id;name\n1;a\n'));
  expect(packed.upload).toMatchObject({ isGzip: true, parameters: { delimiter: ';' } });
  expect(packed.upload.mediaType).toBe('text/csv; charset=utf-8');
});

it('takes documents out of what they are wrapped in', async () => {
  const documents = [{ id: 'ä', text: '"]}' }, { id: 'b' }];
  const text = JSON.stringify({ ünit: 'é', data: documents, total: 2 });
  for (const wrapped of [text, `\uFEFF${text}`, gzipSync(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
    const { text: sent } = await uploadOf(wrapped);
    expect(JSON.parse(sent)).toEqual(documents);
  }
});

it('sends JSON in UTF-16 as UTF-8, and one document as a list of one', async () => {
  expect((await uploadOf(Buffer.from('\uFEFF[{"id":"ä"}]', 'utf16le'))).text).toBe('[{"id":"ä"}]');
  expect(JSON.parse((await uploadOf('{\n"id": "a"\n}')).text)).toEqual([{ id: 'a' }]);
});

it('proposes an id and a title, and names what columns become', async () => {
  const { upload } = await uploadOf('SKU,Titel,Preis\nA1,Lamp,3.50\nA2,Chair,20\n');
  expect(JSON.parse(upload.parameters.mapping ?? '')).toEqual({ SKU: 'id', Titel: 'title' });
});

it('finds as many elements as there are, however their bytes are cut', () => {
  const array = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 8 });
  fc.assert(
    fc.property(array, fc.array(fc.nat(), { maxLength: 8 }), fc.string(), (values, cuts, rest) => {
      const text = JSON.stringify(values);
      const bytes = new TextEncoder().encode(text.slice(1) + rest);
      const found: unknown[] = [];
      const scanner = new ArrayScanner({
        wants: () => true,
        onElement: (element) => found.push(JSON.parse(element)),
      });
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      let from = 0;
      for (const to of [...places, bytes.length]) {
        const chunk = bytes.slice(from, to);
        scanner.push(chunk);
        // Its owner uses it again.
        chunk.fill(0x78);
        from = to;
      }
      // As JSON has them: it knows one zero.
      expect(found).toEqual(JSON.parse(text));
      expect(scanner.count).toBe(values.length);
      expect(scanner.end).toBe(new TextEncoder().encode(text).length - 2);
    }),
  );
});

it.each([
  ['{"id":1}\n\n{"id":2}\n', 2],
  ['id,text\n1,"a\nb"\n2,c', 2],
  ['[{"id":1},{"id":2},{"id":3}]', 3],
  ['{"data":[{"id":1},{"id":2}]}', 2],
])('counts the rows of %j', async (text, rows) => {
  const { upload, plan } = await uploadOf(text);
  expect(await countRows(upload, plan, signal)).toBe(rows);
  // Packed and in UTF-16 they are counted where a check is to be refused.
  for (const other of [text, gzipSync(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
    const { upload, plan } = await uploadOf(other);
    const hasMoreThan = (rowsMax: number) => hasMoreRows(upload, plan, { rowsMax, signal });
    expect([await hasMoreThan(rows - 1), await hasMoreThan(rows)]).toEqual([true, false]);
  }
});

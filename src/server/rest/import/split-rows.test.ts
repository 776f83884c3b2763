import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ByteShares } from '#server/admission/byte-shares.ts';
import { limits } from '#shared/limits.ts';
import { AppError } from '../../errors.ts';
import { splitRows } from './split-rows.ts';
import { UploadMeter } from './upload-meter.ts';

type Format = 'array' | 'lines';
/** A row's text, or `!` and its fault. */
type Row = string;

async function* stream(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    // Senders' buffers are used again: a splitter that keeps a view of one would find other bytes in it.
    const chunk = Buffer.from(bytes.subarray(from, to));
    yield chunk;
    chunk.fill(0x78);
    from = to;
  }
}

async function rowsOf(upload: string | Uint8Array, format: Format, cuts: number[] = []): Promise<Row[]> {
  const bytes = typeof upload === 'string' ? new TextEncoder().encode(upload) : upload;
  const rows: Row[] = [];
  for await (const row of splitRows(stream(bytes, cuts), format, new UploadMeter())) {
    expect(row.index).toBe(rows.length);
    if ('cells' in row) throw new Error('this is no table');
    rows.push('text' in row ? row.text.trim() : `!${row.fault.message}`);
  }
  return rows;
}

const someCuts = fc.array(fc.nat(), { maxLength: 20 });
const space = fc.constantFrom('', ' ', '\n', '\r\n\t ');

describe('a JSON array', () => {
  test('any values, printed any way, arriving in any chunks, come out one by one', async () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(values, space, fc.boolean(), someCuts, async (items, gap, hasMark, cuts) => {
        const texts = items.map((item) => JSON.stringify(item, null, gap));
        const upload = `${hasMark ? '\uFEFF' : ''}${gap}[${gap}${texts.join(`${gap},${gap}`)}${gap}]${gap}`;
        expect(await rowsOf(upload, 'array', cuts)).toEqual(texts);
      }),
    );
  });

  test('whatever it is, it gives the same rows however it is chunked', async () => {
    const pieces = fc.array(
      fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', '1', 'ü', ' ', '\uFEFF', 'x'),
    );
    await fc.assert(
      fc.asyncProperty(pieces, someCuts, async (parts, cuts) => {
        const upload = `[${parts.join('')}`;
        expect(await rowsOf(upload, 'array', cuts)).toEqual(await rowsOf(upload, 'array'));
      }),
    );
  });

  test.each([
    ['[]', []],
    [' [ ] ', []],
    ['[1,]', ['1', '']],
    ['[,]', ['', '']],
    ['[{"a":"],["},"\\"]"]', ['{"a":"],["}', '"\\"]"']],
    ['[{"a":1],{"b":2}]', ['{"a":1]', '{"b":2}']],
    ['', ['!Expected a JSON array of documents']],
    ['{"id":1}', ['!Expected a JSON array of documents']],
    ['\uFEFF\uFEFF[1]', ['!Expected a JSON array of documents']],
    ['[{"a":1},{"b":', ['{"a":1}', '!The upload ends before the end of the array']],
    ['[1]x', ['1', '!Nothing may follow the end of the array']],
    ['[1] [2]', ['1', '!Nothing may follow the end of the array']],
  ])('%j', async (upload, rows) => {
    expect(await rowsOf(upload, 'array')).toEqual(rows);
    const everywhere = Array.from({ length: upload.length * 3 }, (_, index) => index);
    expect(await rowsOf(upload, 'array', everywhere)).toEqual(rows);
  });

  test('after a part of a byte order mark there is no array', async () => {
    for (const mark of [[0xef], [0xef, 0xbb]]) {
      const upload = Uint8Array.of(...mark, 0x5b, 0x31, 0x5d);
      expect(await rowsOf(upload, 'array')).toEqual(['!Expected a JSON array of documents']);
    }
  });
});

describe('lines', () => {
  test('any values, arriving in any chunks, with blank lines and either line end', async () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });
    const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n');
    await fc.assert(
      fc.asyncProperty(
        values,
        ends,
        fc.boolean(),
        fc.boolean(),
        someCuts,
        async (items, end, hasMark, isCut, cuts) => {
          const texts = items.map((item) => JSON.stringify(item));
          const upload = `${hasMark ? '\uFEFF' : ''}${texts.join(end)}${isCut ? '' : end}`;
          expect(await rowsOf(upload, 'lines', cuts)).toEqual(texts);
        },
      ),
    );
  });

  test('a chunk of blank lines is passed over at once', async () => {
    const chunk = Buffer.from(`1\n${' \r\n'.repeat(20_000)}2\n`);
    const subarray = vi.spyOn(chunk, 'subarray');
    async function* chunks() {
      yield chunk;
    }
    const rows: string[] = [];
    for await (const row of splitRows(chunks(), 'lines', new UploadMeter()))
      if ('text' in row) rows.push(row.text);
    expect(rows).toEqual(['1', '2']);
    expect(subarray.mock.calls.length).toBeLessThan(10);
  });

  test('an array where lines are expected is a row that is not a document, not a crash', async () => {
    expect(await rowsOf('[{"a":1},\n{"b":2}]', 'lines')).toEqual(['[{"a":1},', '{"b":2}]']);
  });
});

describe('bad rows', () => {
  const huge = `"${'x'.repeat(limits.documentBytesMax)}"`;

  test.each<[Format, string]>([
    ['array', `[1,${huge},2]`],
    ['lines', `1\n${huge}\n2`],
  ])(
    '%s: an element over the limit is its own fault, and its neighbours come through',
    async (format, upload) => {
      // The last one stands before what ends the element.
      const cuts = [
        ...Array.from({ length: 100 }, (_, index) => index * 43_691),
        upload.lastIndexOf('"') + 1,
      ];
      expect(await rowsOf(upload, format, cuts)).toEqual(['1', '!A document can be at most 4 MB', '2']);
    },
  );

  test.each<Format>(['array', 'lines'])(
    '%s: bytes that are not UTF-8 are the fault of their row',
    async (format) => {
      const [open, between, close] = format === 'array' ? ['[', ',', ']'] : ['', '\n', ''];
      const upload = Buffer.concat([
        Buffer.from(`${open}1${between}"`),
        Buffer.of(0xff),
        Buffer.from(`"${between}2${close}`),
      ]);
      expect(await rowsOf(upload, format)).toEqual(['1', '!This is not valid UTF-8', '2']);
    },
  );
});

describe('what is held in memory', () => {
  async function* endless(total: number, digits = 10): AsyncGenerator<Uint8Array> {
    const chunk = new TextEncoder().encode(`{"a":"${'0'.repeat(digits)}"}\n`.repeat(30_000 / digits));
    for (let sent = 0; sent < total; sent += chunk.length) yield chunk.slice();
  }

  test('is counted until a row is settled, and does not grow with the upload', async () => {
    const meter = new UploadMeter();
    let waiting = 0;
    for await (const _ of splitRows(endless(20_000_000), 'lines', meter)) {
      if (++waiting < 1_000) continue;
      for (; waiting > 0; waiting--) meter.rowSettled();
    }
    expect(meter.totalBytes).toBeGreaterThanOrEqual(20_000_000);
    expect(meter.peakBytes).toBeLessThan(200_000);
  });

  test('is nothing once its upload has ended, and who still waits for the sender reads no further', async () => {
    const shares = new ByteShares(10_000_000);
    const sender: { arrive: (() => void) | null } = { arrive: null };
    let chunks = 0;
    let isClosed = false;
    async function* begun(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          chunks += 1;
          yield Buffer.alloc(200_000, 'x');
          if (chunks > 1) await new Promise<void>((resolve) => (sender.arrive = resolve));
        }
      } finally {
        isClosed = true;
      }
    }
    const meter = new UploadMeter(() => shares.hold('a tenant'));
    const next = splitRows(begun(), 'lines', meter).next();
    await expect.poll(() => sender.arrive !== null).toBe(true);
    expect(shares.heldBytes).toBe(200_000);
    meter.end();
    expect(shares.heldBytes).toBe(0);
    sender.arrive?.();
    await expect(next).rejects.toThrow('has ended');
    expect([shares.heldBytes, chunks, isClosed]).toEqual([0, 3, true]);
  });

  test('the next chunk is asked for only when the rows of the last one are taken', async () => {
    let chunks = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (const text of ['1\n2\n', '3\n4\n']) {
        chunks++;
        yield new TextEncoder().encode(text);
      }
    }
    const rows = splitRows(counted(), 'lines', new UploadMeter());
    await rows.next();
    await rows.next();
    expect(chunks).toBe(1);
    await rows.next();
    expect(chunks).toBe(2);
  });

  test('a reader that settles nothing is stopped before it holds more than promised', async () => {
    // It is bytes that are promised: rows of a kilobyte reach them in a fiftieth of the steps.
    const rows = splitRows(endless(limits.importBufferBytesMax * 1.1, 1_000), 'lines', new UploadMeter());
    const takeAll = async () => {
      for await (const _ of rows);
    };
    await expect(takeAll()).rejects.toSatisfy(
      (error) => error instanceof AppError && error.code === 'INTERNAL',
    );
  });
});

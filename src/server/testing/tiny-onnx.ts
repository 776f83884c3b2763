/**
 * A model in ONNX's form (`onnx.proto`) that is small enough to be written here: the rows of its tokens are those of a table, by one `Gather`. What is not needed
 * to run it is left out.
 */
export function tinyOnnx(table: readonly (readonly number[])[]): Buffer {
  const dims = table[0]?.length ?? 0;
  const weights = message(
    [1, table.length],
    [1, dims],
    [2, float32],
    [8, 'table'],
    [9, Buffer.from(Float32Array.from(table.flat()).buffer)],
  );
  const gather = message([1, 'table'], [1, 'input_ids'], [2, 'last_hidden_state'], [4, 'Gather']);
  const graph = message(
    [1, gather],
    [2, 'tiny'],
    [5, weights],
    [11, value('input_ids', int64, ['batch', 'seq'])],
    [11, value('attention_mask', int64, ['batch', 'seq'])],
    [12, value('last_hidden_state', float32, ['batch', 'seq', dims])],
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}

const float32 = 1;
const int64 = 7;

function value(name: string, type: number, shape: (number | string)[]): Buffer {
  const sizes = shape.map((size) => message(typeof size === 'number' ? [1, size] : [2, size]));
  const tensor = message([1, type], [2, message(...sizes.map((size): Field => [1, size]))]);
  return message([1, name], [2, message([1, tensor])]);
}

type Field = [number: number, content: number | string | Buffer];

/** In Protocol Buffers' wire format: numbers as varints, all else by its length. */
function message(...fields: Field[]): Buffer {
  const parts = fields.flatMap(([number, content]) => {
    if (typeof content === 'number') return [varint(number << 3), varint(content)];
    const bytes = Buffer.from(content);
    return [varint((number << 3) | 2), varint(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (let rest = number; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

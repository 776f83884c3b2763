/**
 * The constant tensors of an ONNX file by their names: as much of Protocol Buffers' wire format, and of onnx.proto's ModelProto, GraphProto and
 * TensorProto, as that takes. Only 8-bit integers and floats are read.
 */

const graphOfModel = 7;
const initializerOfGraph = 5;
const tensor = { dims: 1, type: 2, floats: 4, integers: 5, name: 8, raw: 9 };
const types = { float: 1, uint8: 2, int8: 3 };

/** @returns {Map<string, { dims: number[], values: Float32Array | Uint8Array | Int8Array }>} */
export function readOnnxTensors(bytes) {
  const tensors = new Map();
  for (const [field, graph] of fieldsOf(bytes)) {
    if (field !== graphOfModel) continue;
    for (const [part, value] of fieldsOf(graph)) {
      if (part === initializerOfGraph) {
        const { name, ...rest } = readTensor(value);
        if (rest.values) tensors.set(name, rest);
      }
    }
  }
  return tensors;
}

function readTensor(bytes) {
  const read = { name: '', dims: [], type: 0, floats: [], integers: [], raw: null };
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === tensor.dims) read.dims.push(...(typeof value === 'number' ? [value] : varintsOf(value)));
    else if (field === tensor.type) read.type = value;
    else if (field === tensor.name) read.name = value.toString('utf8');
    else if (field === tensor.raw) read.raw = value;
    else if (field === tensor.floats)
      read.floats.push(...(typeof value === 'number' ? [value] : floatsOf(value)));
    else if (field === tensor.integers)
      read.integers.push(...(typeof value === 'number' ? [value] : varintsOf(value)));
  }
  return { name: read.name, dims: read.dims, values: valuesOf(read) };
}

function valuesOf({ type, raw, floats, integers }) {
  if (type === types.float) return raw ? floatsOf(raw) : Float32Array.from(floats);
  if (type === types.uint8) return Uint8Array.from(raw ?? integers);
  if (type === types.int8) return raw ? new Int8Array(Uint8Array.from(raw).buffer) : Int8Array.from(integers);
  return null;
}

const floatsOf = (bytes) => new Float32Array(Uint8Array.from(bytes).buffer);

function* varintsOf(bytes) {
  for (const at = { place: 0 }; at.place < bytes.length; ) yield varint(bytes, at);
}

function* fieldsOf(bytes) {
  const at = { place: 0 };
  while (at.place < bytes.length) {
    const tag = varint(bytes, at);
    const wire = tag & 7;
    if (wire === 0) yield [tag >>> 3, varint(bytes, at)];
    else if (wire === 1 || wire === 5) {
      yield [tag >>> 3, wire === 5 ? bytes.readFloatLE(at.place) : bytes.readDoubleLE(at.place)];
      at.place += wire === 5 ? 4 : 8;
    } else if (wire === 2) {
      const length = varint(bytes, at);
      yield [tag >>> 3, bytes.subarray(at.place, at.place + length)];
      at.place += length;
    } else throw new Error(`wire type ${wire} is not known`);
  }
}

function varint(bytes, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at.place++];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return Number(BigInt.asIntN(64, value));
  }
}

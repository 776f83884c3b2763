import { createRequire } from 'node:module';
import path from 'node:path';

/** What is used of `onnxruntime-node`, as its documentation has it. */
export interface OnnxRuntime {
  InferenceSession: {
    create(file: string, options: Record<string, unknown>): Promise<OnnxSession>;
  };
  Tensor: new (type: IntegerType, data: BigInt64Array | Int32Array, dims: number[]) => unknown;
}

export type IntegerType = 'int64' | 'int32';

export interface OnnxSession {
  readonly inputMetadata: readonly OnnxValue[];
  readonly outputMetadata: readonly OnnxValue[];
  run(feeds: Record<string, unknown>, outputs: string[]): Promise<Record<string, OnnxTensor>>;
}

/** Of an input or output: a size is a name where it is not fixed. */
interface OnnxValue {
  readonly name: string;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** What is used of `@huggingface/tokenizers`. */
export interface Tokenizers {
  Tokenizer: new (tokenizer: unknown, config: unknown) => Tokenizer;
}

export interface Tokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

interface OnnxPackages {
  runtime: OnnxRuntime;
  tokenizers: Tokenizers;
}

/** The packages that an operator has added: nothing but a thread that needs them reads them. @throws Error they cannot be loaded */
export function loadOnnxPackages(packagesDir: string): OnnxPackages {
  const load = createRequire(path.join(packagesDir, 'package.json'));
  return { tokenizers: load('@huggingface/tokenizers'), runtime: load('onnxruntime-node') };
}

import { readFile } from 'node:fs/promises';
import {
  type IntegerType,
  loadOnnxPackages,
  type OnnxRuntime,
  type OnnxSession,
  type Tokenizers,
} from './onnx-packages.ts';
import { type Pooling, poolRows, unit } from './pool-rows.ts';
import { TextTokens } from './text-tokens.ts';
import { passLayers, type VectorLayer } from './vector-layers.ts';

/** What a thread has to know of a model. */
export interface OnnxModelSource {
  packagesDir: string;
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  pooling: Pooling;
  layers: VectorLayer[];
  tokensMax: number;
  isLowerCased: boolean;
}

/** By their names, what stands in each place. */
const inputs: Record<string, (ids: number[]) => number[]> = {
  input_ids: (ids) => ids,
  attention_mask: (ids) => ids.map(() => 1),
  token_type_ids: (ids) => ids.map(() => 0),
  position_ids: (ids) => [...ids.keys()],
};
/** Rows of tokens, which are pooled as the directory says; else a vector of the text as it comes. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings'];

/**
 * One copy of a model, in the thread that calls it. A text at a time: quantised models round by the largest number of a run, so that a text's vector would
 * depend on those beside it (by a cosine of .99), and with one core a batch of 32 takes as long as its texts one by one.
 */
export class OnnxModel {
  readonly #source: OnnxModelSource;
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #tokens: TextTokens;
  readonly #output: { name: string; isOfTokens: boolean };

  private constructor(
    source: OnnxModelSource,
    runtime: OnnxRuntime,
    { session, tokens }: { session: OnnxSession; tokens: TextTokens },
  ) {
    this.#source = source;
    this.#runtime = runtime;
    this.#session = session;
    this.#tokens = tokens;
    this.#output = outputOf(session);
    for (const { name, type } of session.inputMetadata) {
      if (inputs[name] === undefined) throw new Error(`it asks for "${name}", which is not given here`);
      if (type !== 'int64' && type !== 'int32') throw new Error(`its "${name}" is of ${type}`);
    }
  }

  /** @throws Error in words for whoever started the server */
  static async open(source: OnnxModelSource): Promise<OnnxModel> {
    const { runtime, tokenizers } = loadOnnxPackages(source.packagesDir);
    const tokens = await tokensOf(tokenizers, source);
    // Threads of its own would not make way for others, and searches have the other cores.
    const session = await runtime.InferenceSession.create(source.modelFile, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    return new OnnxModel(source, runtime, { session, tokens });
  }

  /** A vector of unit length; empty: the text has no token. */
  async embed(text: string): Promise<Float32Array> {
    const ids = this.#tokens.idsOf(text);
    if (ids.length === 0) return new Float32Array(0);
    const feeds = this.#session.inputMetadata.map(({ name, type }) => {
      const values = inputs[name]?.(ids) ?? [];
      return [name, this.#tensor(type === 'int32' ? 'int32' : 'int64', values)];
    });
    const { name, isOfTokens } = this.#output;
    const made = await this.#session.run(Object.fromEntries(feeds), [name]);
    const { data, dims } = made[name] ?? { data: null, dims: [] };
    const size = dims.at(-1) ?? 0;
    if (!(data instanceof Float32Array) || size === 0 || data.length !== (isOfTokens ? ids.length : 1) * size)
      throw new Error(`its "${name}" is not of numbers with 32 bits, one row each`);
    if (!isOfTokens) return unit(data);
    const { pooling, layers } = this.#source;
    return unit(passLayers(poolRows(data, size, pooling), layers));
  }

  #tensor(type: IntegerType, values: number[]): unknown {
    const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : Int32Array.from(values);
    return new this.#runtime.Tensor(type, data, [1, values.length]);
  }
}

async function tokensOf({ Tokenizer }: Tokenizers, source: OnnxModelSource): Promise<TextTokens> {
  const { tokenizerFile, tokenizerConfigFile: configFile } = source;
  const config = configFile === null ? {} : JSON.parse(await readFile(configFile, 'utf8'));
  const file = JSON.parse(await readFile(tokenizerFile, 'utf8'));
  try {
    return new TextTokens(new Tokenizer(file, config), source);
  } catch (cause) {
    throw new Error(`${tokenizerFile} is not understood: ${(cause as Error).message}`, { cause });
  }
}

function outputOf({ outputMetadata }: OnnxSession): { name: string; isOfTokens: boolean } {
  const names = outputMetadata.map(({ name }) => name);
  const named = tokenOutputs.find((name) => names.includes(name));
  const first = named ?? outputMetadata.find(({ shape }) => shape?.length === 3)?.name;
  if (first !== undefined) return { name: first, isOfTokens: true };
  const whole = outputMetadata.find(({ shape }) => shape?.length === 2)?.name;
  if (whole !== undefined) return { name: whole, isOfTokens: false };
  throw new Error(`it gives no rows of tokens (${tokenOutputs[0]}), but ${names.join(', ') || 'nothing'}`);
}

/** What a sentence-transformer does to the pooled vector of a text: linear layers, and unit length between them. */
import path from 'node:path';
import { z } from 'zod';
import { getModelJson, modelFault } from './model-json.ts';
import { unit } from './pool-rows.ts';
import { readSafetensors } from './read-safetensors.ts';

type Activation = 'identity' | 'tanh' | 'relu' | 'gelu' | 'sigmoid';

export interface DenseLayer {
  kind: 'dense';
  inputs: number;
  outputs: number;
  /** outputs × inputs, row-major. */
  weights: Float32Array;
  /** Null: it adds nothing. */
  bias: Float32Array | null;
  activation: Activation;
}

export type VectorLayer = DenseLayer | { kind: 'normalize' };

const config = z.looseObject({
  in_features: z.int().min(1).max(65_536),
  out_features: z.int().min(1).max(65_536),
  bias: z.boolean().optional(),
  activation_function: z.string().optional(),
  module_input_name: z.string().nullish(),
  module_output_name: z.string().nullish(),
});
const ofText = 'sentence_embedding';

/** By the last part of their names, as "torch.nn.modules.activation.Tanh". */
const activations: Record<string, Activation> = {
  Identity: 'identity',
  Tanh: 'tanh',
  ReLU: 'relu',
  GELU: 'gelu',
  Sigmoid: 'sigmoid',
};
/** A file that says none means this one. */
const activationDefault = 'Tanh';

/** Of a folder as `2_Dense`. @throws SettingsError it is not as it should be */
export async function readDenseLayer(folder: string): Promise<DenseLayer> {
  const file = path.join(folder, 'config.json');
  const said = await getModelJson(file, config);
  const { in_features: inputs, out_features: outputs } = said;
  const name = said.activation_function?.split('.').at(-1) ?? activationDefault;
  const activation = activations[name];
  if (activation === undefined)
    throw modelFault(file, `has the activation "${name}", which is not done here`);
  for (const rows of [said.module_input_name, said.module_output_name])
    if (rows && rows !== ofText) throw modelFault(file, `is for "${rows}", which is not done here`);
  const numbers = path.join(folder, 'model.safetensors');
  const tensors = await readSafetensors(numbers);
  const valuesOf = (tensor: string, shape: number[]) => {
    const found = tensors.get(tensor);
    if (found?.shape.join() === shape.join()) return found.values;
    throw modelFault(
      numbers,
      `has ${found ? `${found.shape.join(' × ')} numbers` : 'none'} of "${tensor}" in place of ${shape.join(' × ')}`,
    );
  };
  return {
    kind: 'dense',
    inputs,
    outputs,
    weights: valuesOf('linear.weight', [outputs, inputs]),
    bias: said.bias === false ? null : valuesOf('linear.bias', [outputs]),
    activation,
  };
}

/** @throws Error the vector is not as long as a layer takes */
export function passLayers(pooled: Float32Array, layers: readonly VectorLayer[]): Float32Array {
  return layers.reduce(
    (vector, layer) => (layer.kind === 'normalize' ? unit(vector) : dense(layer, vector)),
    pooled,
  );
}

function dense(
  { inputs, outputs, weights, bias, activation }: DenseLayer,
  vector: Float32Array,
): Float32Array {
  if (vector.length !== inputs)
    throw new Error(`its rows have ${vector.length} components, and its Dense layer takes ${inputs}`);
  const made = new Float32Array(outputs);
  for (let row = 0; row < outputs; row += 1) {
    let sum = bias?.[row] ?? 0;
    for (let i = 0; i < inputs; i += 1) sum += (weights[row * inputs + i] ?? 0) * (vector[i] ?? 0);
    made[row] = activated(activation, sum);
  }
  return made;
}

function activated(activation: Activation, x: number): number {
  switch (activation) {
    case 'identity':
      return x;
    case 'tanh':
      return Math.tanh(x);
    case 'relu':
      return Math.max(0, x);
    case 'sigmoid':
      return 1 / (1 + Math.exp(-x));
    case 'gelu':
      return (x / 2) * (1 + erf(x / Math.SQRT2));
  }
}

/** Within 1.5e-7 (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

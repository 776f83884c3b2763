import path from 'node:path';
import { z } from 'zod';
import { findModelJson, getModelJson, modelFault } from './model-json.ts';
import type { Pooling } from './pool-rows.ts';
import { readDenseLayer, type VectorLayer } from './vector-layers.ts';

/** What a sentence-transformer does beside its transformer. */
export interface ModelModules {
  /** Where the transformer's files are: the directory itself, mostly. */
  transformer: string;
  pooling: Pooling;
  /** What is done to the pooled vector. */
  layers: VectorLayer[];
  /** Components of a vector, where the directory says so. */
  dimension: number | null;
  /** Whether the tokens of a prompt count. */
  includesPrompt: boolean;
}

const moduleList = z
  .array(z.object({ path: z.string(), type: z.string() }))
  .min(1)
  .max(32);
const poolingConfig = z.looseObject({
  word_embedding_dimension: z.int().min(1).optional(),
  include_prompt: z.boolean().optional(),
  pooling_mode: z.string().optional(),
});

const poolings: Record<string, Pooling> = {
  cls: 'cls',
  cls_token: 'cls',
  mean: 'mean',
  mean_tokens: 'mean',
  mean_sqrt_len_tokens: 'mean_sqrt_len',
  max: 'max',
  max_tokens: 'max',
  lasttoken: 'last',
};

/** By `modules.json`; without it by `1_Pooling` alone. @throws SettingsError it does something that is not done here */
export async function readModelModules(directory: string): Promise<ModelModules> {
  const listFile = path.join(directory, 'modules.json');
  const modules = await findModelJson(listFile, moduleList);
  if (modules === null) {
    const file = path.join(directory, '1_Pooling/config.json');
    const config = await findModelJson(file, poolingConfig);
    if (config === null)
      throw modelFault(
        directory,
        'is no sentence-transformer: it has neither modules.json nor 1_Pooling/config.json',
      );
    return { transformer: directory, ...followed(file, poolingOf(file, config), []), layers: [] };
  }
  const kinds = modules.map(({ type, path: place }) => {
    return { kind: type.split('.').at(-1) ?? type, folder: within(directory, { listFile, place }) };
  });
  const [first, second, ...others] = kinds;
  if (first?.kind !== 'Transformer')
    throw modelFault(listFile, `begins with "${first?.kind}", and has to with "Transformer"`);
  if (second?.kind !== 'Pooling')
    throw modelFault(listFile, `has ${second ? `"${second.kind}"` : 'nothing'} where "Pooling" has to be`);
  const file = path.join(second.folder, 'config.json');
  const pooled = poolingOf(file, await getModelJson(file, poolingConfig));
  const layers = await layersOf(listFile, others);
  return { transformer: first.folder, ...followed(listFile, pooled, layers), layers };
}

async function layersOf(
  listFile: string,
  modules: { kind: string; folder: string }[],
): Promise<VectorLayer[]> {
  const lastDense = modules.findLastIndex(({ kind }) => kind === 'Dense');
  const layers: VectorLayer[] = [];
  for (const [place, { kind, folder }] of modules.entries()) {
    if (kind === 'Dense') layers.push(await readDenseLayer(folder));
    else if (kind !== 'Normalize') throw modelFault(listFile, `names "${kind}", which is not done here`);
    // In the end every vector is brought to unit length.
    else if (place < lastDense) layers.push({ kind: 'normalize' });
  }
  return layers;
}

/** With the components that the last layer gives, where there is one. */
function followed(listFile: string, pooled: Pooled, layers: VectorLayer[]): Pooled {
  const dense = layers.filter((layer) => layer.kind === 'dense');
  // Divided by its length the sum is what the mean is.
  if (dense.length === 0)
    return { ...pooled, pooling: pooled.pooling === 'mean_sqrt_len' ? 'mean' : pooled.pooling };
  let width = pooled.dimension;
  for (const { inputs, outputs } of dense) {
    if (width !== null && width !== inputs)
      throw modelFault(listFile, `has a Dense layer that takes ${inputs} components and is given ${width}`);
    width = outputs;
  }
  return { ...pooled, dimension: width };
}

function within(directory: string, { listFile, place }: { listFile: string; place: string }): string {
  const folder = path.resolve(directory, place);
  if (folder !== directory && !folder.startsWith(directory + path.sep))
    throw modelFault(listFile, `names "${place}", which is not in the directory`);
  return folder;
}

type Pooled = Omit<ModelModules, 'transformer' | 'layers'>;

function poolingOf(file: string, config: z.output<typeof poolingConfig>): Pooled {
  const modes =
    config.pooling_mode === undefined
      ? Object.entries(config).flatMap(([name, value]) =>
          name.startsWith('pooling_mode_') && value === true ? [name.slice('pooling_mode_'.length)] : [],
        )
      : [config.pooling_mode];
  const [mode, ...more] = modes;
  if (mode === undefined || more.length > 0)
    throw modelFault(
      file,
      `has ${more.length > 0 ? `several poolings (${modes.join(', ')})` : 'no pooling'}`,
    );
  const pooling = poolings[mode];
  if (pooling === undefined) throw modelFault(file, `has the pooling "${mode}", which is not done here`);
  return {
    pooling,
    dimension: config.word_embedding_dimension ?? null,
    includesPrompt: config.include_prompt ?? true,
  };
}

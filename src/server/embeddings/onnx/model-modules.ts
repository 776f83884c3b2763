import path from 'node:path';
import { z } from 'zod';
import { findModelJson, getModelJson, modelFault } from './model-json.ts';

/** How the rows of a text's tokens become one: their mean, the first, the last, or the greatest of each component. */
export type Pooling = 'mean' | 'cls' | 'last' | 'max';

/** What a sentence-transformer does beside its transformer. */
export interface ModelModules {
  /** Where the transformer's files are: the directory itself, mostly. */
  transformer: string;
  pooling: Pooling;
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

/** Divided by its length the sum is what the mean is. */
const poolings: Record<string, Pooling> = {
  cls: 'cls',
  cls_token: 'cls',
  mean: 'mean',
  mean_tokens: 'mean',
  mean_sqrt_len_tokens: 'mean',
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
    return { transformer: directory, ...poolingOf(file, config) };
  }
  const kinds = modules.map(({ type, path: place }) => {
    return { kind: type.split('.').at(-1) ?? type, folder: within(directory, { listFile, place }) };
  });
  const [first, second, ...others] = kinds;
  if (first?.kind !== 'Transformer')
    throw modelFault(listFile, `begins with "${first?.kind}", and has to with "Transformer"`);
  if (second?.kind !== 'Pooling')
    throw modelFault(listFile, `has ${second ? `"${second.kind}"` : 'nothing'} where "Pooling" has to be`);
  // Every vector is brought to unit length.
  const other = others.find(({ kind }) => kind !== 'Normalize');
  if (other) throw modelFault(listFile, `names "${other.kind}", which is not done here`);
  const file = path.join(second.folder, 'config.json');
  return { transformer: first.folder, ...poolingOf(file, await getModelJson(file, poolingConfig)) };
}

function within(directory: string, { listFile, place }: { listFile: string; place: string }): string {
  const folder = path.resolve(directory, place);
  if (folder !== directory && !folder.startsWith(directory + path.sep))
    throw modelFault(listFile, `names "${place}", which is not in the directory`);
  return folder;
}

function poolingOf(file: string, config: z.output<typeof poolingConfig>): Omit<ModelModules, 'transformer'> {
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

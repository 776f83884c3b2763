import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { EmbeddingModelSettings } from '#server/embedding-settings.ts';
import { limits } from '#shared/limits.ts';
import { findModelFile, type ModelFiles } from './find-model-file.ts';
import { findModelJson, getModelJson, modelFault } from './model-json.ts';
import { readModelModules } from './model-modules.ts';
import { type ModelPrompts, readModelPrompts } from './model-prompts.ts';
import type { Pooling } from './pool-rows.ts';
import type { VectorLayer } from './vector-layers.ts';

/** A sentence-transformer as its directory describes it. */
export interface ModelDirectory {
  /** The directory's own name. */
  name: string;
  files: ModelFiles;
  tokenizerFile: string;
  /** Null: there is none. */
  tokenizerConfigFile: string | null;
  pooling: Pooling;
  /** What is done to the pooled vector. */
  layers: VectorLayer[];
  /** Components of a vector, where the directory says so. */
  dimension: number | null;
  /** Tokens of a text that are read, special ones among them. */
  tokensMax: number;
  isLowerCased: boolean;
  prompts: ModelPrompts;
}

/** Attention takes room by the square of it: some 300 MB for a large model. Passages have fewer. */
const tokensMaxMost = 2_048;
const tokensMaxDefault = 512;
/** Their positions begin behind the padding's. */
const shiftedTypes = ['roberta', 'xlm-roberta', 'camembert', 'mpnet'];

const config = z.looseObject({
  model_type: z.string().optional(),
  max_position_embeddings: z.int().min(3).optional(),
});
const sentenceConfig = z.looseObject({
  max_seq_length: z.int().min(3).nullish(),
  do_lower_case: z.boolean().nullish(),
});
/** Where it has no bound it says 1e30. */
const tokenizerConfig = z.looseObject({ model_max_length: z.number().min(3).nullish() });
/** An older file does not say its kind; what reads it tells by its parts. */
const tokenizer = z.looseObject({
  model: z.looseObject({ type: z.enum(['WordPiece', 'Unigram', 'BPE']).optional() }),
});

/** @throws SettingsError that names the file which is missing, broken, or asks for what is not done here */
export async function readModelDirectory({
  directory,
  file,
}: EmbeddingModelSettings): Promise<ModelDirectory> {
  await assertDirectory(directory);
  const { transformer, pooling, layers, dimension, includesPrompt } = await readModelModules(directory);
  const within = (name: string) => path.join(transformer, name);
  const ofModel = await getModelJson(within('config.json'), config);
  await getModelJson(within('tokenizer.json'), tokenizer);
  const ofTokenizer = await findModelJson(within('tokenizer_config.json'), tokenizerConfig);
  const ofSentences = await findModelJson(within('sentence_bert_config.json'), sentenceConfig);
  const prompts = await readModelPrompts(directory);
  if (!includesPrompt && (prompts.query !== '' || prompts.document !== ''))
    throw modelFault(directory, 'leaves its prompt out of its pooling, which is not done here');
  if (dimension !== null && dimension > limits.dimensionMax)
    throw modelFault(
      directory,
      `gives ${dimension} components, and collections have ${limits.dimensionMax} at most`,
    );
  const asked = ofSentences?.max_seq_length ?? ofTokenizer?.model_max_length ?? Number.POSITIVE_INFINITY;
  const positions = ofModel.max_position_embeddings ?? Number.POSITIVE_INFINITY;
  const placesMax = positions - (shiftedTypes.includes(ofModel.model_type ?? '') ? 2 : 0);
  const tokensMax = Math.min(asked, placesMax);
  return {
    name: path.basename(directory),
    files: await findModelFile(directory, file),
    tokenizerFile: within('tokenizer.json'),
    tokenizerConfigFile: ofTokenizer === null ? null : within('tokenizer_config.json'),
    pooling,
    layers,
    dimension,
    tokensMax: tokensMax > 1e6 ? tokensMaxDefault : Math.min(tokensMax, tokensMaxMost),
    isLowerCased: ofSentences?.do_lower_case ?? false,
    prompts,
  };
}

async function assertDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw modelFault(directory, 'is no directory');
}

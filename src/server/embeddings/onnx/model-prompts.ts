import path from 'node:path';
import { z } from 'zod';
import { findModelJson, modelFault } from './model-json.ts';

/** What stands before every text, as the model was trained. */
export interface ModelPrompts {
  query: string;
  document: string;
}

const promptsConfig = z.looseObject({
  prompts: z.record(z.string(), z.string().max(2_000).nullable()).nullish(),
  default_prompt_name: z.string().nullish(),
});

/** As sentence-transformers chooses them for queries and for documents. @throws SettingsError */
export async function readModelPrompts(directory: string): Promise<ModelPrompts> {
  const file = path.join(directory, 'config_sentence_transformers.json');
  const config = await findModelJson(file, promptsConfig);
  const prompts = new Map(Object.entries(config?.prompts ?? {}));
  const name = config?.default_prompt_name ?? null;
  if (name !== null && !prompts.has(name))
    throw modelFault(file, `has no prompt "${name}", which it says is the default`);
  const first = (...names: (string | null)[]) =>
    names.map((each) => (each === null ? null : prompts.get(each))).find((prompt) => prompt != null) ?? '';
  return { query: first('query', name), document: first('document', 'passage', 'corpus', name) };
}

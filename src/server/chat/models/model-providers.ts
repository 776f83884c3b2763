import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { type ChatModel, chatModels, type OfferedModel } from '#shared/chat.ts';

/** The models that are somebody else's. */
export type LanguageModelName = Exclude<ChatModel, 'vector-ai'>;

/** Where a model is asked. */
export interface ModelProvider {
  name: LanguageModelName;
  apiKey: string;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  /** As the provider calls it. */
  modelId: string;
  timeoutMs: number;
}

export type ModelSettings = Pick<Settings, 'openai' | 'anthropic' | 'chatTimeoutMs'>;

/** What the settings of a model are called. */
export const settingsOf: Record<LanguageModelName, { key: string; model: string }> = {
  'gpt-4': { key: 'OPENAI_API_KEY', model: 'OPENAI_MODEL' },
  claude: { key: 'ANTHROPIC_API_KEY', model: 'ANTHROPIC_MODEL' },
};

export function offeredModels(settings: ModelSettings): OfferedModel[] {
  return chatModels.map((model) => {
    if (model === 'vector-ai') return { model, needs: null };
    const isReady = providerSettings(settings, model).apiKey !== null;
    return { model, needs: isReady ? null : settingsOf[model].key };
  });
}

/** @throws AppError UNPROCESSABLE naming the setting that is missing */
export function getProvider(settings: ModelSettings, name: LanguageModelName): ModelProvider {
  const { apiKey, ...provider } = providerSettings(settings, name);
  if (apiKey !== null) return { name, apiKey, ...provider, timeoutMs: settings.chatTimeoutMs };
  throw new AppError(
    'UNPROCESSABLE',
    `The model "${name}" is not set up: this server has no ${settingsOf[name].key}. "vector-ai" needs none`,
    { details: [{ path: 'model', message: `needs the setting ${settingsOf[name].key}` }] },
  );
}

function providerSettings(settings: ModelSettings, name: LanguageModelName) {
  return name === 'gpt-4' ? settings.openai : settings.anthropic;
}

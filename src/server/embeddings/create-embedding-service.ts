import type { EmbeddingModelSettings, EmbeddingServiceSettings } from '#server/embedding-settings.ts';
import type { Log } from '#server/log.ts';
import type { EmbeddingService } from './embedding-service.ts';
import { OnnxService } from './onnx/onnx-service.ts';
import { assertPackages, packagesDirOf } from './onnx/optional-packages.ts';
import { readModelDirectory } from './onnx/read-model-directory.ts';
import { OpenAiService } from './openai/openai-service.ts';

interface Options {
  settings: {
    embeddingService: EmbeddingServiceSettings | null;
    embeddingModel: EmbeddingModelSettings | null;
  };
  rootDir: string;
  log: Log;
}

/** The model beside those that are built in; null: there is none. @throws SettingsError it cannot be used */
export async function createEmbeddingService({
  settings: { embeddingService, embeddingModel },
  rootDir,
  log,
}: Options): Promise<EmbeddingService | null> {
  if (embeddingService) return new OpenAiService({ ...embeddingService, log });
  if (!embeddingModel) return null;
  const model = await readModelDirectory(embeddingModel);
  const packagesDir = packagesDirOf(rootDir);
  await assertPackages(packagesDir);
  const service = await OnnxService.open({ model, packagesDir, log });
  const { id, dimension } = service;
  log.info('a model makes the vectors of new collections with its dimension', { model: id, dimension });
  return service;
}

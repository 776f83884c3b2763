import { z } from 'zod';

/** The transformer of the built-in model. `off`: by the settings. `resting`: nothing has needed it yet. */
const transformerStates = ['off', 'resting', 'loading', 'ready', 'failed'] as const;
export type TransformerState = (typeof transformerStates)[number];

/** A service that makes vectors, or a model in a directory. `failing`: its last answer was none. `paused`: it failed so often that it is not asked for a while. */
const serviceStates = ['working', 'failing', 'paused'] as const;
export type ServiceState = (typeof serviceStates)[number];

/** `absent`: the model that made a collection's vectors is not set up. */
export const modelState = z.enum([...transformerStates, ...serviceStates, 'absent']);

/** With what the ids of models begin that are not built in: of a service over HTTP, and of a directory whose model is run here. */
export const modelPrefixes = { openai: 'openai:', onnx: 'onnx:' } as const;

/** What people call whatever has this id. */
export const calledOf = (id: string): string =>
  id.startsWith(modelPrefixes.onnx) ? 'The embedding model' : 'The embedding service';

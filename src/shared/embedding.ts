import { z } from 'zod';

/** The transformer of the built-in model. `off`: by the settings. `resting`: nothing has needed it yet. */
const transformerStates = z.enum(['off', 'resting', 'loading', 'ready', 'failed']);
export type TransformerState = z.infer<typeof transformerStates>;

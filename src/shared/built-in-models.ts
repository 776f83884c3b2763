/** In `model` of a collection: its vectors are made by what is built in, and those of fewer than 384 components are cut. */
export const builtInModel = 'builtin';
/** The same, but rotated before they are cut: collections of fewer than 384 components have it that were made since there is a rotation. */
export const rotatedModel = 'builtin:rotated';
export const isBuiltInModel = (model: string): boolean => model === builtInModel || model === rotatedModel;

/** Of a model by its id, without what sets it apart: by whom it is run, and which file of that name it is. */
export function toModelName(model: string): string {
  return model.replace(/^openai:/, '').replace(/^onnx:(.*)@[0-9a-f]+$/, '$1');
}

/** The texts of a document: every string and every string in a list, each with the path of its field, in the document's order. */
export interface FieldText {
  path: string;
  text: string;
}

/** Deeper levels are not searched; the edge refuses them long before. */
const depthMax = 64;

/** Leaves out the top-level `id` (found by filter) and `embedding`. Members of nested objects are addressed by path (`author.name`); elements of a list share its path. */
export function fieldTexts(document: Record<string, unknown>): FieldText[] {
  const texts: FieldText[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (name !== 'id' && name !== 'embedding') collect(texts, name, value, 1);
  }
  return texts;
}

/** Names of the text fields, each once, in the document's order: what the first number of a passage's span counts. */
export function textFieldNames(document: Record<string, unknown>): string[] {
  return [...new Set(fieldTexts(document).map((each) => each.path))];
}

function collect(texts: FieldText[], path: string, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    texts.push({ path, text: value });
  } else if (typeof value === 'object' && value !== null && depth < depthMax) {
    if (Array.isArray(value)) for (const element of value) collect(texts, path, element, depth + 1);
    else
      for (const [name, member] of Object.entries(value))
        collect(texts, `${path}.${name}`, member, depth + 1);
  }
}

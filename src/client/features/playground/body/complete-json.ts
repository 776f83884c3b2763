import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Schema } from '../endpoints.ts';
import { type JsonPlace, jsonPlace } from './json-place.ts';

interface Known {
  /** Of the whole body. */
  schema: Schema;
  /** What `$ref`s name. */
  schemas: Record<string, Schema>;
  /** Of the collection's documents. */
  fields: string[];
}

/** Proposes names and values that the API's description allows where the cursor is, as one types or by Ctrl+Space. */
export function completeJson(known: Known): Extension {
  return autocompletion({
    icons: false,
    // Enter is a line until something has been chosen from the list.
    selectOnOpen: false,
    override: [(context) => propose(context, known)],
  });
}

function propose(context: CompletionContext, known: Known): CompletionResult | null {
  const text = context.state.doc.toString();
  const place = jsonPlace(text, context.pos);
  if (!place || (place.from === context.pos && !context.explicit)) return null;
  const options = optionsAt(place, known);
  if (options.length === 0) return null;
  return { from: place.from, options, validFor: /^"?[\w.]*$/ };
}

/** Names of fields stand in these. */
const ofFields = /^(query_by|facet_by|sort_by|group_by|include_fields|exclude_fields|highlight_fields)$/;

export function optionsAt({ expects, path, taken }: JsonPlace, known: Known): Completion[] {
  const schema = schemaAt(known.schema, path, known.schemas);
  if (expects === 'value') {
    const isOfFields = path.some((step) => typeof step === 'string' && ofFields.test(step));
    return [...valuesOf(schema), ...(isOfFields ? known.fields : [])].map((value) => {
      const text = JSON.stringify(value);
      return { label: text, apply: applied(text) };
    });
  }
  const named = Object.entries(propertiesOf(schema, known.schemas));
  // A document is any object; what others have is what it may have.
  const names: [string, Schema][] =
    named.length > 0
      ? named
      : path.every((step) => typeof step === 'number')
        ? known.fields.map((field) => [field, {}])
        : [];
  return names
    .filter(([name]) => !taken.includes(name))
    .map(([name, { description, type }]) => ({
      label: JSON.stringify(name),
      ...(typeof type === 'string' && { detail: type }),
      ...(description !== undefined && { info: description }),
      apply: applied(`${JSON.stringify(name)}: `),
    }));
}

/** In place of the word that is being written, its closing quote included. */
function applied(text: string): NonNullable<Completion['apply']> {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const after = view.state.sliceDoc(to, to + 64);
    const rest = view.state.sliceDoc(from, to).startsWith('"')
      ? (/^[\w.]*"(\s*:\s?)?/.exec(after)?.[0] ?? '')
      : '';
    const insert = text.endsWith(': ') && /^\s*:/.test(after.slice(rest.length)) ? text.slice(0, -2) : text;
    view.dispatch({
      changes: { from, to: to + rest.length, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    });
  };
}

/** All forms that a value may have there, those behind references too. */
function formsOf(schema: Schema | undefined, schemas: Record<string, Schema>): Schema[] {
  if (!schema) return [];
  if (schema.$ref !== undefined)
    return formsOf(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)], schemas);
  return schema.anyOf ? [schema, ...schema.anyOf.flatMap((one) => formsOf(one, schemas))] : [schema];
}

function schemaAt(schema: Schema, path: JsonPlace['path'], schemas: Record<string, Schema>): Schema {
  let forms = formsOf(schema, schemas);
  for (const step of path) {
    forms = forms.flatMap(({ properties, items }) =>
      formsOf(typeof step === 'number' ? items : properties?.[step], schemas),
    );
  }
  return { anyOf: forms };
}

function propertiesOf(schema: Schema, schemas: Record<string, Schema>): Record<string, Schema> {
  return Object.assign({}, ...formsOf(schema, schemas).map(({ properties }) => properties ?? {}));
}

function valuesOf({ anyOf: forms = [] }: Schema): unknown[] {
  const values = forms.flatMap(({ enum: listed = [], type, default: usual }) => [
    ...listed,
    ...(type === 'boolean' ? [true, false] : []),
    ...(usual !== undefined && typeof usual !== 'object' ? [usual] : []),
  ]);
  return [...new Set(values)];
}

import { Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { useEffect, useMemo, useRef } from 'react';
import { JsonEditor } from '#client/components/code/json-editor.tsx';
import { readJson } from '#client/components/code/json-faults.ts';
import type { Schema } from '../endpoints.ts';
import { completeJson } from './complete-json.ts';

interface BodyEditorProps {
  label: string;
  text: string;
  schema: Schema;
  schemas: Record<string, Schema>;
  fields: string[];
  onType: (text: string) => void;
  /** Ctrl+Enter, on a Mac ⌘+Enter. */
  onSend: () => void;
}

export function BodyEditor({ label, text, schema, schemas, fields, onType, onSend }: BodyEditorProps) {
  const first = useRef(text);
  const send = useRef(onSend);
  useEffect(() => {
    send.current = onSend;
  });
  const extensions = useMemo(
    () => [completeJson({ schema, schemas, fields }), sendBy(() => send.current())],
    [schema, schemas, fields],
  );
  const faults = useMemo(() => {
    const read = readJson(text, 'The body is JSON: {…}');
    return 'fault' in read ? [read.fault] : [];
  }, [text]);
  return (
    <JsonEditor label={label} text={first.current} faults={faults} extensions={extensions} onType={onType} />
  );
}

function sendBy(send: () => void) {
  const run = () => {
    send();
    return true;
  };
  return Prec.highest(keymap.of([{ key: 'Mod-Enter', run }]));
}

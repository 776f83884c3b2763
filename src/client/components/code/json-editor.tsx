import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { jsonSetup } from './code-setup.ts';
import type { JsonFault } from './json-faults.ts';

export interface JsonEditorHandle {
  /** Puts the cursor there. */
  goTo: (position: number) => void;
}

interface JsonEditorProps {
  label: string;
  /** What it begins with. */
  text: string;
  faults: JsonFault[];
  /** From the beginning. */
  hasFocus?: boolean;
  /** What it does beside; those it begins with. */
  extensions?: Extension;
  onType: (text: string) => void;
  ref?: Ref<JsonEditorHandle>;
}

/** An editor of JSON that marks what is wrong where it stands. Tab leaves it. */
export function JsonEditor({
  label,
  text,
  faults,
  hasFocus = false,
  extensions = [],
  onType,
  ref,
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(onType);
  useEffect(() => {
    tell.current = onType;
  });
  // Made once: from then on the editor holds the text.
  const first = useRef({ label, text, hasFocus, extensions });
  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      doc: first.current.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        jsonSetup(first.current.label),
        first.current.extensions,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) tell.current(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    if (first.current.hasFocus) editor.focus();
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(setDiagnostics(editor.state, faults.map(toDiagnostic(editor.state.doc.length))));
  }, [faults]);
  useImperativeHandle(ref, () => ({
    goTo: (position) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch({
        selection: { anchor: Math.min(position, editor.state.doc.length) },
        scrollIntoView: true,
      });
      editor.focus();
    },
  }));
  return <div ref={host} />;
}

/** The text may be shorter by now than the one that was checked. */
const toDiagnostic =
  (length: number) =>
  ({ from, to, message }: JsonFault): Diagnostic => ({
    from: Math.min(from, length),
    to: Math.min(to, length),
    message,
    severity: 'error',
  });

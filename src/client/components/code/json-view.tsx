import { defaultKeymap } from '@codemirror/commands';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { jsonSetup, readOnly } from './code-setup.ts';

/** JSON to be read: objects and lists fold. A line of any length and a text of some megabytes are shown as they come into view. */
export function JsonView({ label, text }: { label: string; text: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const extensions = [
      lineNumbers(),
      foldGutter(),
      drawSelection(),
      keymap.of([...defaultKeymap, ...foldKeymap]),
      jsonSetup(label),
      readOnly,
    ];
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: text, extensions }),
    });
    return () => view.destroy();
  }, [label, text]);
  return <div ref={host} />;
}

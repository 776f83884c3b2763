import { getChunks, unifiedMergeView } from '@codemirror/merge';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import classes from '#client/components/code/code.module.css';
import { jsonSetup, readOnly } from '#client/components/code/code-setup.ts';

interface JsonDiffProps {
  label: string;
  before: string;
  after: string;
}

/** What a change takes away, above what it brings; what stays is folded. */
export function JsonDiff({ label, before, after }: JsonDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      doc: after,
      extensions: [
        lineNumbers(),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          collapseUnchanged: { margin: 2, minSize: 6 },
        }),
        jsonSetup(label),
        readOnly,
      ],
    });
    const first = getChunks(editor.state)?.chunks[0];
    if (first) editor.dispatch({ effects: EditorView.scrollIntoView(first.fromB, { y: 'center' }) });
    return () => editor.destroy();
  }, [label, before, after]);
  return <div ref={host} className={classes['diff']} />;
}

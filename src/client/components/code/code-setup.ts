import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { cspNonce } from '#client/lib/csp-nonce.ts';
import classes from './code.module.css';

/** Classes, so that both schemes colour them. */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, class: classes['name'] ?? '' },
  { tag: tags.string, class: classes['string'] ?? '' },
  { tag: [tags.number, tags.bool, tags.null], class: classes['atom'] ?? '' },
]);

/** JSON with the console's look; `label` is what the region is called. */
export function jsonSetup(label: string): Extension {
  return [
    json(),
    syntaxHighlighting(colours),
    bracketMatching(),
    indentOnInput(),
    EditorView.lineWrapping,
    // The page's policy takes no other style element.
    EditorView.cspNonce.of(cspNonce),
    EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr', spellcheck: 'false' }),
    EditorView.editorAttributes.of({ class: classes['editor'] ?? '' }),
  ];
}

/** To be read, by keyboard too. */
export const readOnly: Extension = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true', role: 'textbox' }),
];

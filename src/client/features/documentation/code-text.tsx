import { codeTokens } from './code-tokens.ts';
import classes from './sample-code.module.css';

/** Code with its marks. Wider than a phone it scrolls, so the keyboard must be able to reach it. */
export function CodeText({ code, language }: { code: string; language: string }) {
  const text = code.trimEnd();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus
    <pre className={classes['code']} tabIndex={0} dir="ltr">
      <code>
        {codeTokens(text, language).map(({ kind, text, offset }) =>
          kind === null ? (
            text
          ) : (
            <span key={offset} className={classes[kind]}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

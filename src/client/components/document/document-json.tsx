import { CopyButton } from '../fields/copy-button.tsx';
import classes from './document.module.css';

/** A document as it is stored, to read and to copy. `label`: whose JSON it is, where there are several. */
export function DocumentJson({ document, label }: { document: unknown; label?: string }) {
  const json = JSON.stringify(document, null, 2);
  return (
    <div className={classes['json']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
      <pre tabIndex={0} {...(label === undefined ? {} : { role: 'region', 'aria-label': label })}>
        {json}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={json} label="Copy document" />
      </div>
    </div>
  );
}

import { Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import { CopyButton } from '../fields/copy-button.tsx';
import classes from './document.module.css';

/** A browser takes long to lay out more, and nobody reads it. A document may have 4 MB. */
const shownCharactersMax = 50_000;

/** A document as it is stored, to read and to copy. `label`: whose JSON it is, where there are several. */
export function DocumentJson({ document, label }: { document: unknown; label?: string }) {
  const json = JSON.stringify(document, null, 2);
  const hidden = json.length - shownCharactersMax;
  return (
    <div className={classes['json']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
      <pre tabIndex={0} {...(label === undefined ? {} : { role: 'region', 'aria-label': label })}>
        {json.slice(0, shownCharactersMax)}
      </pre>
      {hidden > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {formatNumber(hidden)} more characters are not shown; what is copied has all of them.
        </Text>
      )}
      <div className={classes['copy']}>
        <CopyButton value={json} label="Copy document" />
      </div>
    </div>
  );
}

import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import { MarkedText } from '#client/components/display/marked-text.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import type { MergedSearchHit } from '#shared/search.ts';
import classes from './hit-card.module.css';
import { type HitWords, hitText } from './hit-text.ts';

interface HitCardProps {
  hit: MergedSearchHit;
  /** The collection's name is shown: there are hits of several. */
  isNamed: boolean;
  /** Without a query all scores are alike and say nothing. */
  hasScore: boolean;
}

export function HitCard({ hit, isNamed, hasScore }: HitCardProps) {
  const { title, text, fields } = hitText(hit);
  return (
    <Paper component="li" withBorder className={classes['card'] ?? ''}>
      <div className={classes['head']}>
        <Title order={2} size="h3" className={classes['title'] ?? ''}>
          <Words {...title} />
        </Title>
        {hasScore && (
          <Badge variant="light" className={classes['score'] ?? ''}>
            Score {hit.score.toFixed(3)}
          </Badge>
        )}
      </div>
      {text && (
        <Text size="sm" className={classes['text'] ?? ''}>
          <Words {...text} />
        </Text>
      )}
      {fields.length > 0 && (
        <dl className={classes['fields']}>
          {fields.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Words {...value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Source hit={hit} isNamed={isNamed} />
    </Paper>
  );
}

function Words({ text, isSnippet }: HitWords) {
  return isSnippet ? <MarkedText snippet={text} /> : text;
}

/** Where the hit comes from, and the whole document folded below. */
function Source({ hit, isNamed }: Pick<HitCardProps, 'hit' | 'isNamed'>) {
  const json = JSON.stringify(hit.document, null, 2);
  return (
    <details className={classes['json']}>
      <summary>
        <Group gap="xs" component="span" wrap="nowrap">
          {isNamed && (
            <Badge color="gray" component="span" className={classes['collection'] ?? ''}>
              {hit.collection.name}
            </Badge>
          )}
          <span className={classes['id']}>{hit.id}</span>
          <span className={classes['more']}>JSON</span>
        </Group>
      </summary>
      <div className={classes['source']}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
        <pre tabIndex={0}>{json}</pre>
        <div className={classes['copy']}>
          <CopyButton value={json} label="Copy document" />
        </div>
      </div>
    </details>
  );
}

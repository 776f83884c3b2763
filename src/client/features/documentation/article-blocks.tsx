import { Code, Title } from '@mantine/core';
import { Fragment } from 'react';
import { type Block, type Inline, plainText } from '#shared/articles/blocks.ts';
import { operationLinks } from '#shared/articles/operation-links.gen.ts';
import classes from './article.module.css';
import { ArticleLink } from './article-link.tsx';
import { CodeText } from './code-text.tsx';
import codeClasses from './sample-code.module.css';
import { CopyCode, SampleCode } from './sample-code.tsx';

/** What stands in an article, in its order. */
export function ArticleBlocks({ blocks }: { blocks: Block[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: an article's blocks never move
  return blocks.map((block, at) => <OneBlock key={at} block={block} about={headingBefore(blocks, at)} />);
}

/** What a sample is about: the heading that it stands under. */
function headingBefore(blocks: Block[], at: number): string {
  const heading = blocks.slice(0, at).findLast((block) => block.kind === 'heading');
  return heading?.kind === 'heading' ? plainText(heading.text) : 'Code';
}

function OneBlock({ block, about }: { block: Block; about: string }) {
  switch (block.kind) {
    case 'heading':
      return (
        <div className={classes['heading']}>
          <Title order={block.level} id={block.anchor} className={classes['title'] ?? ''}>
            <Inlines text={block.text} />
          </Title>
          <a
            href={`#${block.anchor}`}
            className={classes['anchor']}
            aria-label={`Link to “${plainText(block.text)}”`}
          >
            #
          </a>
        </div>
      );
    case 'paragraph':
      return (
        <p>
          <Inlines text={block.text} />
        </p>
      );
    case 'list':
      return <ListBlock block={block} />;
    case 'table':
      return <TableBlock block={block} about={about} />;
    case 'code':
      return (
        <div className={`${codeClasses['root']} ${codeClasses['plain']}`}>
          <CodeText code={block.code} language={block.language} />
          {block.language === 'sh' && <CopyCode code={block.code} />}
        </div>
      );
    case 'sample':
      return <SampleCode request={block.request} label={about} />;
  }
}

function ListBlock({ block }: { block: Extract<Block, { kind: 'list' }> }) {
  const List = block.isOrdered ? 'ol' : 'ul';
  return (
    <List>
      {block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an article's items never move
        <li key={at}>
          {item.length === 1 && item[0]?.kind === 'paragraph' ? (
            <Inlines text={item[0].text} />
          ) : (
            <ArticleBlocks blocks={item} />
          )}
        </li>
      ))}
    </List>
  );
}

/** Plain HTML: Mantine's own brings code for what scrolls in boxes and floats over pages. */
function TableBlock({ block, about }: { block: Extract<Block, { kind: 'table' }>; about: string }) {
  const hasHead = block.head.some((cell) => cell.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus
    <section className={classes['table']} tabIndex={0} aria-label={`Table: ${about}`}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {block.head.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an article's cells never move
                <th key={at} scope="col">
                  <Inlines text={cell} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {block.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column}>
                  <Inlines text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Inlines({ text }: { text: Inline[] }) {
  return text.map((one, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an article's words never move
    <Fragment key={at}>{typeof one === 'string' ? one : <OneInline inline={one} />}</Fragment>
  ));
}

function OneInline({ inline }: { inline: Exclude<Inline, string> }) {
  switch (inline.kind) {
    case 'code':
      return <InlineCode text={inline.text} />;
    case 'strong':
      return (
        <strong>
          <Inlines text={inline.text} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines text={inline.text} />
        </em>
      );
    case 'article':
      return (
        <ArticleLink slug={inline.slug} anchor={inline.anchor}>
          <Inlines text={inline.text} />
        </ArticleLink>
      );
    case 'link':
      return (
        <a href={inline.href} rel="noreferrer">
          <Inlines text={inline.text} />
        </a>
      );
  }
}

/** An operation leads to where it is described and can be tried. */
function InlineCode({ text }: { text: string }) {
  const operation = operationLinks[text];
  const code = <Code className={classes['code'] ?? ''}>{text}</Code>;
  return operation === undefined ? code : <a href={`/api/docs#/${operation}`}>{code}</a>;
}

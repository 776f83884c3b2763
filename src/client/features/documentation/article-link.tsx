import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

const RouterAnchor = createLink((props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor inherit {...props} />
));

interface ArticleLinkProps {
  slug: string;
  /** Empty: the article's beginning. */
  anchor?: string;
  className?: string | undefined;
  /** It is the article that is read. */
  isCurrent?: boolean;
  children: ReactNode;
}

/** To an article; the collection that stands in the code goes along. */
export function ArticleLink({ slug, anchor = '', isCurrent = false, className, children }: ArticleLinkProps) {
  return (
    <RouterAnchor
      to="/documentation/$article"
      params={{ article: slug }}
      search={({ collection }: { collection?: number | undefined }) => ({
        ...(collection ? { collection } : {}),
      })}
      {...(anchor && { hash: anchor })}
      {...(className !== undefined && { className })}
      {...(isCurrent && { 'aria-current': 'page' as const })}
    >
      {children}
    </RouterAnchor>
  );
}

import { Paper, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronRightIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { Endpoint } from './endpoints.ts';
import { MethodBadge } from './method-badge.tsx';
import classes from './playground.module.css';

interface EndpointCardProps {
  endpoint: Endpoint;
  isOpen: boolean;
  /** The address names it: a page that is opened by a link begins there. */
  isNamed: boolean;
  /** A collection is needed and none is chosen. */
  isDisabled: boolean;
  onOpen: () => void;
  /** The request, while it is open. */
  children: ReactNode;
}

export function EndpointCard({ endpoint, isOpen, isNamed, isDisabled, onOpen, children }: EndpointCardProps) {
  const id = useId();
  const { name, method, path, description } = endpoint;
  const card = useRef<HTMLDivElement>(null);
  const isLinked = useRef(isNamed);
  useEffect(() => {
    if (isLinked.current) card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Paper
      component="article"
      ref={card}
      aria-labelledby={id}
      withBorder
      className={classes['card'] ?? ''}
      data-open={isOpen || undefined}
      data-disabled={isDisabled || undefined}
    >
      <h3 className={classes['heading']}>
        <UnstyledButton className={classes['toggle'] ?? ''} aria-expanded={isOpen} onClick={onOpen}>
          <MethodBadge method={method} />
          <span className={classes['words']}>
            <span id={id} className={classes['name']}>
              {name}
            </span>
            <code className={classes['path']}>{path}</code>
          </span>
          <Icon shape={chevronRightIcon} size={16} />
        </UnstyledButton>
      </h3>
      <div className={classes['about']}>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        {isDisabled && (
          <Text size="xs" fw={600} mt={4}>
            Select a collection to enable this endpoint
          </Text>
        )}
      </div>
      {isOpen && <div className={classes['request']}>{children}</div>}
    </Paper>
  );
}

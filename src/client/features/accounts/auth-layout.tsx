import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { IconShape } from '#client/components/display/icon.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import { boltIcon, codeIcon, sparklesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Brand } from '#client/components/shell/brand.tsx';
import classes from './auth-layout.module.css';

/** The frame of login and registration: what this is, the form, and the way to the other of the two. */
export function AuthLayout(props: {
  title: string;
  subtitle: string;
  children: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <div className={classes['page']}>
      <Pitch />
      <main id="main" tabIndex={-1} className={classes['main']}>
        <div className={classes['form']}>
          <Anchor component={Link} to="/" underline="never" aria-label="Vectora, to the start page">
            <Brand />
          </Anchor>
          <Title order={1} tabIndex={-1} className={classes['title'] ?? ''}>
            {props.title}
          </Title>
          <Text c="dimmed" mb="lg">
            {props.subtitle}
          </Text>
          {props.children}
          {props.footer && (
            <Text size="sm" c="dimmed" mt="lg" ta="center">
              {props.footer}
            </Text>
          )}
        </div>
      </main>
    </div>
  );
}

const points: { icon: IconShape; text: string }[] = [
  { icon: sparklesIcon, text: 'Finds what people mean, not only what they type' },
  { icon: boltIcon, text: 'Keyword, vector and hybrid search in one call' },
  { icon: codeIcon, text: 'A REST API, and a console for all of it' },
];

/** Beside the form where there is room. */
function Pitch() {
  return (
    <aside className={classes['pitch']} aria-label="About Vectora">
      <p className={classes['headline']}>Search that understands</p>
      <ul className={classes['points']}>
        {points.map(({ icon, text }) => (
          <li key={text} className={classes['point']}>
            <Icon shape={icon} size={20} />
            {text}
          </li>
        ))}
      </ul>
      <Neighbours />
    </aside>
  );
}

/** Points of a space and the nearest ones of a query: decoration. */
function Neighbours() {
  return (
    <svg className={classes['neighbours']} viewBox="0 0 420 220" aria-hidden="true" focusable="false">
      <g className={classes['ties']}>
        <path d="M210 110 158 74M210 110l64-46M210 110l58 40M210 110l-34 58" />
        <circle cx="210" cy="110" r="82" />
      </g>
      <g className={classes['far']}>
        {far.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="3" />
        ))}
      </g>
      <g className={classes['near']}>
        <circle cx="158" cy="74" r="5" />
        <circle cx="274" cy="64" r="5" />
        <circle cx="268" cy="150" r="5" />
        <circle cx="176" cy="168" r="5" />
      </g>
      <circle className={classes['query']} cx="210" cy="110" r="8" />
    </svg>
  );
}

const far = [
  [24, 40],
  [52, 132],
  [84, 70],
  [96, 186],
  [118, 24],
  [40, 196],
  [310, 22],
  [332, 108],
  [356, 60],
  [348, 176],
  [390, 130],
  [402, 34],
  [302, 202],
  [226, 12],
  [234, 208],
] as const;

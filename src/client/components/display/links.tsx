import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** Mantine's look on the router's links: `<ButtonLink to="/projects/$id" params={{ id: 3 }} variant="default">`. */

type Anchored<P> = P & Omit<ComponentProps<'a'>, keyof P>;

export const ButtonLink = createLink((props: Anchored<ButtonProps>) => <Button component="a" {...props} />);
export const AnchorLink = createLink((props: Anchored<AnchorProps>) => <Anchor {...props} />);

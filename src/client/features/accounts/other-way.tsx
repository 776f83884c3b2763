import { AnchorLink } from '#client/components/display/links.tsx';

const ways = { '/login': 'Sign in', '/register': 'Sign up' } as const;

/** Below a form: where else to go. */
export function OtherWay({ question, to }: { question: string; to: keyof typeof ways }) {
  return (
    <>
      {question}{' '}
      <AnchorLink to={to} underline="always">
        {ways[to]}
      </AnchorLink>
    </>
  );
}
